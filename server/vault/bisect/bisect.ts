import { type BisectVerdict, bisectStep } from '../../domain/bisect-step.ts';
import type { BytePath } from '../../domain/byte-path.ts';
import type { CommitInfo } from '../../domain/commit.ts';
import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { commitsBetween } from '../../git/rev-list.ts';
import { readCommitInfos } from '../commit-info.ts';
import type { OpenVault } from '../open-vault.ts';
import { resolveCommit } from '../rev.ts';
import { type CommitCheck, tryCommit } from './try-commit.ts';

export interface BisectSearch {
  readonly good: string;
  readonly bad: string;
  /** Only commits that changed this file, or something below this folder. */
  readonly path?: BytePath;
  readonly check: CommitCheck;
  readonly signal?: AbortSignal;
}

export interface BisectOutcome {
  readonly first_bad: CommitInfo;
  readonly tried: readonly { readonly sha: Oid; readonly verdict: BisectVerdict }[];
  /** Commits before it that could not be judged, each of which may be the first. */
  readonly unsure: readonly Oid[];
}

/**
 * Finds the first commit on the way from a good one to a bad one that a check fails on. Both ends are tried first.
 * @throws DevLoopError ref_invalid, ref_not_found, conflict where the ends are not what they are said to be
 */
export async function bisect(vault: OpenVault, search: BisectSearch): Promise<BisectOutcome> {
  const [good, bad] = await Promise.all([resolveCommit(vault, search.good), resolveCommit(vault, search.bad)]);
  const candidates = await candidatesBetween(vault, { good, bad, ...(search.path && { path: search.path }) });
  const tried: { sha: Oid; verdict: BisectVerdict }[] = [];
  const judge = async (sha: Oid): Promise<BisectVerdict> => {
    const verdict = await tryCommit(vault, sha, search);
    tried.push({ sha, verdict });
    return verdict;
  };
  if ((await judge(bad)) !== 'bad') throw notSo(search.bad, 'bad');
  if ((await judge(good)) !== 'good') throw notSo(search.good, 'good');
  const verdicts = new Map<number, BisectVerdict>();
  for (;;) {
    const step = bisectStep(candidates.length, verdicts);
    const sha = candidates[step.index];
    if (sha === undefined) throw new DevLoopError('internal', 'a candidate of the search is not in its list');
    if (step.kind === 'try') {
      verdicts.set(step.index, await judge(sha));
      continue;
    }
    const [first_bad] = await readCommitInfos(vault, [sha]);
    return {
      first_bad: first_bad as CommitInfo,
      tried,
      unsure: step.unsure.flatMap((index) => candidates[index] ?? []),
    };
  }
}

/** Oldest first. The last one is the bad end, or what came to it last where only a path counts. */
async function candidatesBetween(
  vault: OpenVault,
  { good, bad, path }: { readonly good: Oid; readonly bad: Oid; readonly path?: BytePath },
): Promise<readonly Oid[]> {
  const between = await commitsBetween(vault.shadow, { good, bad, ...(path && { path }) });
  if (between.kind === 'unrelated' || between.commits.length === 0) {
    throw new DevLoopError('conflict', `no commit lies on the way from ${good} to ${bad}`, { data: { good, bad } });
  }
  return between.commits;
}

function notSo(rev: string, verdict: string): DevLoopError {
  return new DevLoopError('conflict', `the check does not find ${rev} ${verdict}`, { data: { rev, verdict } });
}
