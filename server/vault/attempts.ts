import type { Attempt, AttemptKey } from '../domain/commit.ts';
import { type Oid, parseRunId, type UnitId, ZERO_OID } from '../domain/ids.ts';
import { messageParts, trailerRecord } from '../domain/message-parts.ts';
import { ATTEMPTS, attemptOfRef } from '../domain/ref-names.ts';
import { UNIT_OUTCOMES } from '../domain/verdicts.ts';
import { readCommit } from './commit-info.ts';
import type { OpenVault } from './open-vault.ts';

/** Where an attempt's commit says how it ended, and in which run. */
export const ATTEMPT_TRAILERS = { verdict: 'DevLoop-Verdict', run: 'DevLoop-Run' } as const;

/** Lists the attempts that are kept, of one unit where it is named: by unit, round, attempt. */
export async function attempts(vault: OpenVault, unit?: UnitId): Promise<readonly Attempt[]> {
  const prefix = unit === undefined ? ATTEMPTS : `${ATTEMPTS}${unit}/`;
  const refs = [...vault.refs.all()].flatMap(([ref, sha]) => {
    const key = ref.startsWith(prefix) ? attemptOfRef(ref) : undefined;
    return key === undefined ? [] : [{ ref, of: { ...key, sha } }];
  });
  const found = await Promise.all(refs.map(({ ref, of }) => readAttempt(vault, ref, of)));
  return found.sort((a, b) => byText(a.unit, b.unit) || a.round - b.round || a.attempt - b.attempt);
}

/** Reads what an attempt's commit says of it. */
export async function readAttempt(
  vault: OpenVault,
  ref: string,
  { unit, round, attempt, sha }: AttemptKey & { readonly sha: Oid },
): Promise<Attempt> {
  const commit = await readCommit(vault, sha);
  const trailers = trailerRecord(messageParts(commit.message).trailers);
  const run = trailers[ATTEMPT_TRAILERS.run];
  const verdict = UNIT_OUTCOMES.find((outcome) => outcome === trailers[ATTEMPT_TRAILERS.verdict]) ?? 'failed';
  const parent = commit.parents[0] ?? ZERO_OID;
  return { unit, round, attempt, verdict, ref, sha, parent, ...(run && { run: parseRunId(run) }) };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
