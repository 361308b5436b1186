/** A piece of rich text: a group's begin or end, a control word with its number, bytes of text, or a character's number. */
export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly kind: 'bytes'; readonly bytes: string };

const WORD = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;
const PLAIN = /[^\\{}\r\n]+/y;

/** Parts rich text, one character a byte, into its pieces; binary data is passed over. */
export function* rtfTokens(text: string): Generator<RtfToken> {
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === '{' || char === '}') {
      yield { kind: char === '{' ? 'open' : 'close' };
      at++;
    } else if (char === '\\') {
      const [token, next] = control(text, at + 1);
      if (token !== undefined) yield token;
      at = next;
    } else if (char === '\r' || char === '\n') at++;
    else {
      PLAIN.lastIndex = at;
      const bytes = PLAIN.exec(text)?.[0] ?? '';
      yield { kind: 'bytes', bytes };
      at += bytes.length;
    }
  }
}

/** What follows a backslash, and where the text goes on. */
function control(text: string, at: number): readonly [RtfToken | undefined, number] {
  WORD.lastIndex = at;
  const found = WORD.exec(text);
  if (found !== null) {
    const [whole, name = '', digits] = found;
    const value = digits === undefined ? undefined : Number(digits);
    const end = at + whole.length;
    if (name === 'bin') return [undefined, end + Math.max(0, value ?? 0)];
    return [{ kind: 'word', name, value }, end];
  }
  const char = text[at] ?? '';
  if (char === "'") {
    const code = Number.parseInt(text.slice(at + 1, at + 3), 16);
    return [{ kind: 'bytes', bytes: Number.isNaN(code) ? '' : String.fromCharCode(code) }, at + 3];
  }
  if ('\\{}'.includes(char)) return [{ kind: 'bytes', bytes: char }, at + 1];
  if (char === '~') return [{ kind: 'bytes', bytes: ' ' }, at + 1];
  // A line's end after a backslash is a paragraph's.
  if (char === '\r' || char === '\n') return [{ kind: 'word', name: 'par', value: undefined }, at + 1];
  return [{ kind: 'word', name: char, value: undefined }, at + 1];
}
