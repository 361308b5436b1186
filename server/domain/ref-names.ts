import type { AttemptKey } from './commit.ts';
import { DevLoopError } from './errors.ts';
import { type Oid, parseOid, parseRescueId, parseUnitId, type RescueId } from './ids.ts';

declare const brand: unique symbol;

/** A full ref name that starts with `refs/`, of plain letters only: narrower than what git takes. */
export type RefName = string & { readonly [brand]: 'RefName' };
/** A short tag name that can be taken for nothing else: no flag, branch, HEAD or object id. */
export type TagName = string & { readonly [brand]: 'TagName' };

/** A revision as people write it, told apart by its form alone. */
export type RevName =
  | { readonly kind: 'oid'; readonly oid: Oid }
  /** At least 7 hex digits; must be unique in the repository. */
  | { readonly kind: 'prefix'; readonly hex: string }
  | { readonly kind: 'ref'; readonly ref: RefName };

export const MAIN = 'refs/heads/main' as RefName;
export const TAGS = 'refs/tags/';
export const ATTEMPTS = 'refs/devloop/attempts/';
export const RESCUES = 'refs/devloop/rescue/';

const NAME = /^(?!.*\.\.)(?!.*\.lock$)(?!.*\.$)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const HEADS = /^(?:[a-z]+_)*head$|^auto_merge$|^main$/i;
const HEX = /^[0-9a-f]{4,40}$/i;
const ROUND = /^[1-9][0-9]{0,5}$/;

/** Parses a full ref name. Throws `ref_invalid`. */
export function parseRefName(text: string): RefName {
  const [root, ...names] = text.split('/');
  if (root === 'refs' && names.length >= 2 && names.every((name) => NAME.test(name))) return text as RefName;
  throw invalid('ref', text);
}

/** Parses a tag's short name. Throws `ref_invalid`. */
export function parseTagName(text: string): TagName {
  if (NAME.test(text) && !HEADS.test(text) && !HEX.test(text)) return text as TagName;
  throw invalid('tag', text);
}

/**
 * Parses what people may write for a revision: 40 hex digits, at least 7 of them, a tag, `HEAD`, `main`,
 * `attempts/{unit}/{round}/{attempt}` or `rescue/{id}`. Throws `ref_invalid`.
 */
export function parseRevName(text: string): RevName {
  if (text === 'HEAD' || text === 'main') return { kind: 'ref', ref: MAIN };
  if (HEX.test(text) && text.length >= 7) {
    const hex = text.toLowerCase();
    return hex.length === 40 ? { kind: 'oid', oid: parseOid(hex) } : { kind: 'prefix', hex };
  }
  try {
    return { kind: 'ref', ref: refOfRev(text) };
  } catch (error) {
    throw invalid('revision', text, error);
  }
}

export function tagRef(name: TagName): RefName {
  return `${TAGS}${name}` as RefName;
}

export function attemptRef({ unit, round, attempt }: AttemptKey): RefName {
  return `${ATTEMPTS}${unit}/${round}/${attempt}` as RefName;
}

export function rescueRef(id: RescueId): RefName {
  return parseRefName(`${RESCUES}${id}`);
}

/** What an attempt's ref says; undefined for other refs. */
export function attemptOfRef(ref: string): AttemptKey | undefined {
  if (!ref.startsWith(ATTEMPTS)) return undefined;
  const [unit = '', round = '', attempt = '', ...more] = ref.slice(ATTEMPTS.length).split('/');
  if (more.length > 0 || !ROUND.test(round) || !ROUND.test(attempt)) return undefined;
  return { unit: parseUnitId(unit), round: Number(round), attempt: Number(attempt) };
}

function refOfRev(text: string): RefName {
  if (text.startsWith('rescue/')) return rescueRef(parseRescueId(text.slice('rescue/'.length)));
  if (!text.startsWith('attempts/')) return tagRef(parseTagName(text));
  const key = attemptOfRef(`refs/devloop/${text}`);
  if (key === undefined) throw invalid('attempt', text);
  return attemptRef(key);
}

function invalid(what: string, text: string, cause?: unknown): DevLoopError {
  return new DevLoopError('ref_invalid', `${JSON.stringify(text.slice(0, 200))} is not a valid ${what} name`, {
    data: { what },
    cause,
  });
}
