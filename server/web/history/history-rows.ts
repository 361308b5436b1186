import type { Attempt, Commit } from '../api/types.ts';

/** A row of the history: a commit of main, or an attempt that never came to it. */
export type HistoryRow =
  | { readonly kind: 'commit'; readonly sha: string; readonly parents: readonly string[]; readonly commit: Commit }
  | { readonly kind: 'attempt'; readonly sha: string; readonly parents: readonly string[]; readonly attempt: Attempt };

/** Commits, newest first, with each attempt above the commit that it was made on. Attempts on commits that are not listed are left out. */
export function historyRows(commits: readonly Commit[], attempts: readonly Attempt[]): readonly HistoryRow[] {
  return commits.flatMap((commit): readonly HistoryRow[] => [
    ...attempts
      .filter(({ parent }) => parent === commit.sha)
      .map((attempt) => ({ kind: 'attempt' as const, sha: attempt.sha, parents: [attempt.parent], attempt })),
    { kind: 'commit' as const, sha: commit.sha, parents: commit.parents, commit },
  ]);
}
