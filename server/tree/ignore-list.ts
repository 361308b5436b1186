import { compileGlob, type Matcher } from './wildmatch.ts';

/** One line of an ignore file, as it was written and where. */
export interface IgnoreRule {
  readonly pattern: string;
  readonly source: string;
  /** From 1. */
  readonly line: number;
  /** The rule takes paths back in. */
  readonly negated: boolean;
}

interface Compiled extends IgnoreRule {
  readonly foldersOnly: boolean;
  /** By the last name only, at any depth; otherwise by the path below the list's folder. */
  readonly byName: boolean;
  readonly matches: Matcher;
}

/** The rules of one ignore file; they speak about paths below the folder that the file lies in. */
export interface IgnoreList {
  /**
   * The last rule that speaks about a path.
   * @param below the path below the list's folder, bytes
   * @param name its last name
   */
  find(below: string, name: string, isFolder: boolean): IgnoreRule | undefined;
}

/**
 * Parses an ignore file with git's own meaning. Bytes, one a character.
 * @param source what `explain` calls the file
 */
export function parseIgnoreList(content: string, source: string): IgnoreList {
  const rules = content
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .flatMap((line, i) => parseRule(line, source, i + 1))
    .reverse();
  return {
    find: (below, name, isFolder) =>
      rules.find((rule) => (isFolder || !rule.foldersOnly) && rule.matches(rule.byName ? name : below)),
  };
}

function parseRule(raw: string, source: string, line: number): readonly Compiled[] {
  const text = trimTrailingSpaces(firstLine(raw));
  if (text === '' || text.startsWith('#')) return [];
  const negated = text.startsWith('!');
  const written = negated ? text.slice(1) : text;
  const foldersOnly = written.endsWith('/');
  const pattern = foldersOnly ? written.slice(0, -1) : written;
  if (pattern === '') return [];
  const byName = !pattern.includes('/');
  const matches = compile(pattern.startsWith('/') ? pattern.slice(1) : pattern, byName);
  return [{ pattern: text, source, line, negated, foldersOnly, byName, matches }];
}

/** A carriage return before the line's end belongs to the end; C strings end at NUL. */
const firstLine = (raw: string): string => raw.replace(/\r$/, '').replace(/\0.*$/s, '');

function trimTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end--;
  if (end === text.length) return text;
  // An odd number of backslashes protects the first of the blanks.
  let backslashes = 0;
  while (text[end - 1 - backslashes] === '\\') backslashes++;
  return text.slice(0, end + (backslashes % 2));
}

const SPECIAL = /[*?[\\]/;

function compile(pattern: string, byName: boolean): Matcher {
  if (!SPECIAL.test(pattern)) return (text) => text === pattern;
  const ending = pattern.slice(1);
  if (byName && pattern.startsWith('*') && !SPECIAL.test(ending)) return (text) => text.endsWith(ending);
  // git compares the part before the first special character by itself, so that a `**` right after it counts as leading.
  const fixed = pattern.slice(0, pattern.search(SPECIAL));
  const rest = compileGlob(pattern.slice(fixed.length));
  return (text) => text.startsWith(fixed) && rest(text.slice(fixed.length));
}
