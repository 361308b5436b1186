import { createHash } from 'node:crypto';
import { libraryMatches } from './library-rules.ts';
import { privateKeys } from './private-keys.ts';
import type { SecretMatch } from './secret-match.ts';
import { TOKEN_PATTERNS } from './token-patterns.ts';

/** The secrets of one kind in a content. */
export interface ContentFinding {
  readonly rule: string;
  /** Of the first, from 1. */
  readonly line: number;
  /** Beginnings of the secrets' sha256, each once; empty where there are too many to tell them apart. */
  readonly secrets: readonly string[];
}

/**
 * Looks for secrets in files' contents, whatever their encoding: they are ASCII, and in UTF-16 what lies between is zeros.
 * Many small contents cost what one large one does.
 * @returns what was found in each
 */
export async function scanContents(contents: readonly Uint8Array[]): Promise<readonly (readonly ContentFinding[])[]> {
  const texts = contents.map(textOf);
  const starts: number[] = [];
  for (const [i, text] of texts.entries()) starts[i + 1] = (starts[i] ?? 0) + text.length + BETWEEN.length;
  starts[0] = 0;
  const found = texts.map((): SecretMatch[] => []);
  for (const match of await matchesIn(texts.join(BETWEEN))) {
    const i = starts.findLastIndex((start) => start <= match.start);
    found[i]?.push({ ...match, start: match.start - (starts[i] ?? 0), end: match.end - (starts[i] ?? 0) });
  }
  return found.map((matches, i) => findingsOf(texts[i] ?? '', matches));
}

/** Nothing that is looked for goes across it. */
const BETWEEN = '\n\u0001\n';
/** More secrets of one kind in one file are allowed with the file only. */
const MOST_SECRETS = 100;
/** What is random has more different characters in any twenty. */
const FEWEST_CHARACTERS = 7;
/** Hosts that only a machine itself, or nobody, reaches. */
const LOCAL_URL =
  /^[a-z+:]{3,20}:\/\/[^@\s/]{0,300}@(?:[a-z0-9_-]+|127\.[0-9.]+|[^\s/:]+\.(?:local|localhost|test|example|invalid)|(?:[^\s/:]+\.)?example\.(?:com|org|net))(?![\w.-])/i;

function textOf(content: Uint8Array): string {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return bytes.toString('latin1').replaceAll('\0', '');
}

/** Where two kinds of rules find the same place, ours is the one that counts. */
async function matchesIn(text: string): Promise<readonly SecretMatch[]> {
  const own = [...privateKeys(text), ...tokens(text)];
  const taken = new Uint8Array(text.length);
  for (const { start, end } of own) taken.fill(1, start, end);
  const more = (await libraryMatches(text)).filter(({ start, end }) => !taken.subarray(start, end).includes(1));
  return [...own, ...more].filter((match) => !isPlaceholder(match));
}

function* tokens(text: string): Generator<SecretMatch> {
  for (const { rule, pattern } of TOKEN_PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      yield { rule, start: match.index, end: match.index + match[0].length, secret: match[0] };
    }
  }
}

/** What documents and examples write where a secret would stand. */
function isPlaceholder({ secret }: SecretMatch): boolean {
  if (/example|placeholder|your[_-]|changeme|redacted|x{8}|0{12}/i.test(secret) && !secret.includes('://')) return true;
  if (LOCAL_URL.test(secret)) return true;
  return secret.length >= 20 && new Set(secret.slice(-20)).size < FEWEST_CHARACTERS;
}

function findingsOf(text: string, matches: readonly SecretMatch[]): readonly ContentFinding[] {
  const byRule = Map.groupBy(matches, ({ rule }) => rule);
  return [...byRule].map(([rule, same]) => findingOf(text, rule, same)).sort((a, b) => a.line - b.line);
}

function findingOf(text: string, rule: string, matches: readonly SecretMatch[]): ContentFinding {
  const first = matches.reduce((least, { start }) => Math.min(least, start), text.length);
  const secrets = [...new Set(matches.map(({ secret }) => digestOf(secret)))];
  return { rule, line: lineOf(text, first), secrets: secrets.length > MOST_SECRETS ? [] : secrets };
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 16);
