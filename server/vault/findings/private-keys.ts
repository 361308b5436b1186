import type { SecretMatch } from './secret-match.ts';

/** Finds private keys in PEM and PGP armor by their first line, also cut off or as one line of JSON; in linear time. None goes across U+0001. */
export function* privateKeys(text: string): Generator<SecretMatch> {
  for (let at = text.indexOf(DASHES); at !== -1; at = text.indexOf(DASHES, at + 1)) {
    TITLE.lastIndex = at;
    const title = TITLE.exec(text)?.[0];
    if (title === undefined) continue;
    const begin = at + title.length;
    const next = text.indexOf(DASHES, begin);
    const near = text.slice(begin, Math.min(next === -1 ? text.length : next, begin + LOOKED_AT));
    const body = /^[^\x01]*/.exec(near)?.[0] ?? '';
    const secret = KEY.exec(bare(body))?.[0];
    if (secret !== undefined) yield { rule: 'private-key', start: at, end: begin + body.length, secret };
    at = begin - 1;
  }
}

const DASHES = '-----BEGIN ';
const TITLE = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** So much of a key tells it from a placeholder. */
const LOOKED_AT = 1000;
const KEY = /^[A-Za-z0-9+/=]{60,1000}/;

/** Without the armor's own lines, and what stands around the lines of a key in code. */
function bare(body: string): string {
  return body
    .replace(/\\[nr]/g, '\n')
    .replace(/^[A-Za-z-]{1,30}: .{0,200}$/gm, '')
    .replace(/[\s"'`,+\\]/g, '');
}
