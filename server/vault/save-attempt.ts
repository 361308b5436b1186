import type { Attempt, AttemptKey, Trailer } from '../domain/commit.ts';
import { EMPTY_TREE } from '../domain/file-tree.ts';
import type { RunId } from '../domain/ids.ts';
import { attemptRef } from '../domain/ref-names.ts';
import type { Identity } from '../domain/roles.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { ATTEMPT_TRAILERS, readAttempt } from './attempts.ts';
import { withDraft } from './draft.ts';
import { headTree } from './head-tree.ts';
import type { LockedVault } from './open-vault.ts';
import { writableMain } from './writable-main.ts';

/** The files of a red or failed attempt, and what is said about them. */
export interface AttemptFiles extends AttemptKey {
  readonly subject: string;
  readonly author: Identity;
  readonly trailers: readonly Trailer[];
  readonly files: WriteScope;
  readonly verdict: Attempt['verdict'];
  readonly run?: RunId;
}

/** Keeps an attempt's files as a commit on main that main does not get; durable. One that is kept already is given again. */
export async function saveAttempt(vault: LockedVault, work: AttemptFiles): Promise<Attempt> {
  const { unit, round, attempt, verdict, run } = work;
  const ref = attemptRef(work);
  const before = vault.refs.get(ref);
  if (before !== undefined) return readAttempt(vault, ref, { ...work, sha: before });
  const parent = writableMain(vault);
  const base = await headTree(vault);
  return withDraft(vault, `attempt ${attempt} of unit ${unit}`, async (draft) => {
    const { tree } = await draft.takeFiles({ base, scope: work.files });
    const sha = draft.commit({ ...work, tree: tree.oid ?? EMPTY_TREE, parents: [parent], trailers: trailersOf(work) });
    await draft.publish([{ ref, to: sha }]);
    return { unit, round, attempt, verdict, ref, sha, parent, ...(run && { run }) };
  });
}

function trailersOf({ trailers, verdict, run }: AttemptFiles): readonly Trailer[] {
  const told = { [ATTEMPT_TRAILERS.verdict]: verdict, ...(run && { [ATTEMPT_TRAILERS.run]: run }) };
  const given = trailers.filter(({ key }) => !(key in told));
  return [...given, ...Object.entries(told).map(([key, value]) => ({ key, value }))];
}
