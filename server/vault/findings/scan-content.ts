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
 * Looks for secrets in a file's content, whatever its encoding: they are ASCII, and in UTF-16 what lies between is zeros.
 * @param ext of the file, with its dot
 */
export async function scanContent(content: Uint8Array, ext: string): Promise<readonly ContentFinding[]> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = bytes.toString('latin1').replaceAll('\0', '');
  const own = [...privateKeys(text), ...tokens(text)];
  const more = (await libraryMatches(text, ext)).filter((match) => !own.some((one) => overlap(one, match)));
  const found = [...own, ...more].filter((match) => !isPlaceholder(match));
  const byRule = Map.groupBy(found, ({ rule }) => rule);
  return [...byRule].map(([rule, matches]) => findingOf(text, rule, matches)).sort((a, b) => a.line - b.line);
}

/** More secrets of one kind in one file are allowed with the file only. */
const MOST_SECRETS = 100;
/** What is random has more different characters in any twenty. */
const FEWEST_CHARACTERS = 7;
/** Hosts that only a machine itself, or nobody, reaches. */
const LOCAL_URL =
  /^[a-z+:]{3,20}:\/\/[^@\s/]{0,300}@(?:[a-z0-9_-]+|127\.[0-9.]+|[^\s/:]+\.(?:local|localhost|test|example|invalid)|(?:[^\s/:]+\.)?example\.(?:com|org|net))(?![\w.-])/i;

function* tokens(text: string): Generator<SecretMatch> {
  for (const { rule, pattern } of TOKEN_PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      yield { rule, start: match.index, end: match.index + match[0].length, secret: match[0] };
    }
  }
}

const overlap = (a: SecretMatch, b: SecretMatch): boolean => a.start < b.end && b.start < a.end;

/** What documents and examples write where a secret would stand. */
function isPlaceholder({ secret }: SecretMatch): boolean {
  if (/example|placeholder|your[_-]|changeme|redacted|x{8}|0{12}/i.test(secret) && !secret.includes('://')) return true;
  if (LOCAL_URL.test(secret)) return true;
  return secret.length >= 20 && new Set(secret.slice(-20)).size < FEWEST_CHARACTERS;
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
