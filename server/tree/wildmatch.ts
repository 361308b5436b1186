/**
 * One element of a pattern: a character, a set of characters (`?` and brackets), `*` (anything but a slash),
 * `**` (anything). A `**` with its slash is two: `maybe` leads into `folders` (anything that ends in a slash) or past it.
 */
type Token =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'set'; readonly holds: (code: number) => boolean }
  | { readonly kind: 'star' | 'deep' | 'maybe' | 'folders' };

/** Tells whether a whole string of bytes (one a character) fits a pattern. Takes time linear in both. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles a glob with the meaning of git's wildmatch for paths: only `**` between slashes crosses one.
 * A pattern that git takes for malformed (an open bracket, an unknown class, a lone last backslash) fits nothing.
 * Source of the rule: gitignore(5), POSIX bracket expressions, t3070 of git's own tests for the corners.
 */
export function compileGlob(pattern: string): Matcher {
  const tokens = parse(pattern);
  return tokens === undefined ? () => false : (text) => run(tokens, text);
}

/** All positions in the pattern that can be reached are held at once, so that no pattern takes exponential time. */
function run(tokens: readonly Token[], text: string): boolean {
  let now = new Set<number>();
  reach(tokens, 0, now);
  for (let i = 0; i < text.length && now.size > 0; i++) {
    const next = new Set<number>();
    for (const at of now) step(tokens, at, text.charCodeAt(i), next);
    now = next;
  }
  return now.has(tokens.length);
}

function reach(tokens: readonly Token[], at: number, into: Set<number>): void {
  if (into.has(at)) return;
  into.add(at);
  const kind = tokens[at]?.kind;
  if (kind === 'star' || kind === 'deep' || kind === 'maybe') reach(tokens, at + 1, into);
  if (kind === 'maybe') reach(tokens, at + 2, into);
}

function step(tokens: readonly Token[], at: number, code: number, next: Set<number>): void {
  const token = tokens[at];
  if (token === undefined) return;
  switch (token.kind) {
    case 'char':
      if (token.code === code) reach(tokens, at + 1, next);
      return;
    case 'set':
      if (code !== SLASH && token.holds(code)) reach(tokens, at + 1, next);
      return;
    case 'star':
      if (code !== SLASH) reach(tokens, at, next);
      return;
    case 'deep':
      reach(tokens, at, next);
      return;
    case 'maybe':
      return;
    case 'folders':
      reach(tokens, at, next);
      if (code === SLASH) reach(tokens, at + 1, next);
  }
}

const SLASH = 47;

function parse(pattern: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let i = 0; i < pattern.length; ) {
    const char = pattern.charAt(i);
    if (char === '*') {
      let end = i;
      while (pattern[end] === '*') end++;
      const { kinds, next } = starTokens(pattern, i, end);
      tokens.push(...kinds.map((kind) => ({ kind })));
      i = next;
    } else if (char === '?') {
      tokens.push({ kind: 'set', holds: () => true });
      i++;
    } else if (char === '[') {
      const bracket = parseBracket(pattern, i);
      if (bracket === undefined) return undefined;
      tokens.push({ kind: 'set', holds: bracket.holds });
      i = bracket.next;
    } else if (char === '\\') {
      if (i + 1 === pattern.length) return undefined;
      tokens.push({ kind: 'char', code: pattern.charCodeAt(i + 1) });
      i += 2;
    } else {
      tokens.push({ kind: 'char', code: pattern.charCodeAt(i) });
      i++;
    }
  }
  return tokens;
}

type StarKind = 'star' | 'deep' | 'maybe' | 'folders';

function starTokens(pattern: string, start: number, end: number): { kinds: readonly StarKind[]; next: number } {
  const afterSlash = start === 0 || pattern[start - 1] === '/';
  const beforeSlash = end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end);
  if (end - start < 2 || !afterSlash || !beforeSlash) return { kinds: ['star'], next: end };
  return pattern[end] === '/' ? { kinds: ['maybe', 'folders'], next: end + 1 } : { kinds: ['deep'], next: end };
}

type Holds = (code: number) => boolean;

/** Parses from the opening bracket. */
function parseBracket(pattern: string, open: number): { holds: Holds; next: number } | undefined {
  let i = open + 1;
  const negated = pattern[i] === '!' || pattern[i] === '^';
  if (negated) i++;
  const parts: Holds[] = [];
  let previous: number | undefined;
  for (let first = true; first || pattern[i] !== ']'; first = false) {
    if (i >= pattern.length) return undefined;
    const named = pattern.startsWith('[:', i) ? classAt(pattern, i) : 'none';
    if (named === 'malformed') return undefined;
    if (named !== 'none') {
      parts.push(named.holds);
      previous = undefined;
      i = named.next;
      continue;
    }
    const isRange = pattern[i] === '-' && previous !== undefined && i + 1 < pattern.length && pattern[i + 1] !== ']';
    const member = characterAt(pattern, isRange ? i + 1 : i);
    if (member === undefined) return undefined;
    const low = isRange && previous !== undefined ? previous : member.code;
    parts.push((code) => code >= low && code <= member.code);
    previous = isRange ? undefined : member.code;
    i = member.next;
  }
  return { holds: (code) => parts.some((part) => part(code)) !== negated, next: i + 1 };
}

function characterAt(pattern: string, at: number): { code: number; next: number } | undefined {
  const start = pattern[at] === '\\' ? at + 1 : at;
  return start < pattern.length ? { code: pattern.charCodeAt(start), next: start + 1 } : undefined;
}

/** A bracket that opens like a class but has no `:]` before the next `]` is an ordinary character. */
function classAt(pattern: string, at: number): { holds: Holds; next: number } | 'none' | 'malformed' {
  const close = pattern.indexOf(']', at + 2);
  if (close < 0) return 'malformed';
  if (close - 1 < at + 2 || pattern[close - 1] !== ':') return 'none';
  const shape = CLASSES.get(pattern.slice(at + 2, close - 1));
  if (shape === undefined) return 'malformed';
  return { holds: (code) => shape.test(String.fromCharCode(code)), next: close + 1 };
}

/** ASCII only; git's blank space has no form feed or vertical tab. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[A-Za-z0-9]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[\x00-\x1f\x7f]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);
