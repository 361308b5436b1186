import type { ShellNode } from './shell-parser.ts';

/** A word of a command. */
export interface ShellWord {
  /** As it stands in the script. */
  readonly raw: string;
  /** What the program gets; undefined where only running the script tells: variables, substitutions, patterns, braces. */
  readonly text: string | undefined;
}

export function shellWord(node: ShellNode): ShellWord {
  return { raw: node.text, text: plainText(node) };
}

/** A word that is known as it is. */
export const knownWord = (text: string): ShellWord => ({ raw: text, text });

function plainText(node: ShellNode): string | undefined {
  if (node.text === '{}') return node.text;
  switch (node.type) {
    case 'word':
    case 'variable_name':
    case 'number':
      return unquotedText(node.text);
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'ansi_c_string':
      return ansiText(node.text.slice(2, -1));
    case 'string':
      return quotedText(node);
    case 'command_name':
    case 'translated_string':
    case 'concatenation':
      return joined(node);
    default:
      return undefined;
  }
}

function joined(node: ShellNode): string | undefined {
  const parts = node.namedChildren.map((child) => (child === null ? undefined : plainText(child)));
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

/** The shell expands patterns, braces (but for `{}`) and a person's home. */
function unquotedText(raw: string): string | undefined {
  const bare = raw.replace(/\\[\s\S]/g, '');
  return /[*?[{}]|^~/.test(bare.replace(/^~\//, '')) ? undefined : raw.replace(/\\([\s\S])/g, '$1');
}

function quotedText(node: ShellNode): string | undefined {
  if (node.namedChildren.some((child) => child?.type !== 'string_content')) return undefined;
  return node.text.slice(1, -1).replace(/\\(["\\$`])/g, '$1');
}

const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The escapes of `$'…'`. */
function ansiText(raw: string): string {
  const escapes = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|([\s\S]))/g;
  return raw.replace(escapes, (_, x, u, U, octal, control, letter: string) => {
    const hex = x ?? u ?? U;
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16));
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff);
    if (control !== undefined) return codePoint(control.charCodeAt(0) & 0x1f);
    return LETTERS[letter] ?? letter;
  });
}

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
