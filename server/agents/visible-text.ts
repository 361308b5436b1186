/** What a terminal or a reader's eye could be tricked with: control characters but tab and newline, direction marks, characters without width. */
const TRICKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Makes an agent's text harmless to show: escape sequences and their like appear as visible signs. Works character by character, so chunks need no care. */
export function visibleText(text: string): string {
  return text.replace(TRICKS, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
