import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import treeSitter, { type Node } from '@vscode/tree-sitter-wasm';

export type ShellNode = Node;

interface ParseRequest<Result> {
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** Is given the root of the syntax tree, which is there while it runs. */
  readonly use: (root: ShellNode) => Result;
  /** The result where it was not done by the deadline, or the parser gave out. */
  readonly otherwise: Result;
}

/** Reads shell text by the grammar of bash. */
export type ShellParser = <Result>(text: string, request: ParseRequest<Result>) => Result;

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
  parser.setLanguage(await Language.load(readFileSync(grammar)));
  // An abort inside of WebAssembly leaves its memory as it is: nothing may be read by it any more.
  let broken = false;
  return (text, { deadline, use, otherwise }) => {
    if (broken) return otherwise;
    try {
      const tree = parser.parse(joinLines(text), null, { progressCallback: () => performance.now() > deadline });
      if (tree === null) {
        parser.reset();
        return otherwise;
      }
      const result = use(tree.rootNode);
      // It lies in the memory of WebAssembly, which nobody else frees.
      tree.delete();
      return result;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'RuntimeError')) throw error;
      broken = true;
      return otherwise;
    }
  };
}

/** A backslash at a line's end joins it with the next: the grammar would see two words in `gi\⏎t`. */
const joinLines = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1');
