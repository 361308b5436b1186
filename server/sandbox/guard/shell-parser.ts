import { createRequire } from 'node:module';
import treeSitter, { type Node } from '@vscode/tree-sitter-wasm';

export type ShellNode = Node;

/** Reads shell text by the grammar of bash; its syntax tree is there while `use` runs. */
export type ShellParser = <Result>(text: string, use: (root: ShellNode) => Result) => Result;

let loading: Promise<ShellParser> | undefined;

/** Loads the grammar, once; about 30 ms. */
export function loadShellParser(): Promise<ShellParser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ShellParser> {
  const { Language, Parser } = treeSitter;
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (text, use) => {
    const tree = parser.parse(joinLines(text));
    if (tree === null) throw new Error('the shell parser gave no tree');
    try {
      return use(tree.rootNode);
    } finally {
      // It lies in the memory of WebAssembly, which nobody else frees.
      tree.delete();
    }
  };
}

/** A backslash at a line's end joins it with the next: the grammar would see two words in `gi\⏎t`. */
const joinLines = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1');
