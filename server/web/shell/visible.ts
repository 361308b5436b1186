/** Control characters, and those that turn or hide text: as signs that can be seen. */
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A text of an agent as it may be shown: nothing in it can hide, turn or overwrite what stands beside it. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, signOf);
}

/** The same on one line. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]+/g, ' ');

function signOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u27e8${code.toString(16).padStart(4, '0')}\u27e9`;
}
