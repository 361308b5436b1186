import { EMPTY_TREE, type TreeFolder } from '../domain/file-tree.ts';
import { parseRescueId, type RescueId } from '../domain/ids.ts';
import { rescueRef } from '../domain/ref-names.ts';
import { DEVLOOP } from '../domain/roles.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { type Draft, withDraft } from './draft.ts';
import { headTree } from './head-tree.ts';
import { type LockedVault, type OpenVault, recordedHead } from './open-vault.ts';

/** Where a rescue's commit says why it was made, and how many files it holds that main did not. */
export const RESCUE_TRAILERS = { reason: 'DevLoop-Rescue', files: 'DevLoop-Files' } as const;

export interface Rescued {
  /** Absent where main has all of it. */
  readonly id: RescueId | undefined;
  /** What is kept, by the rescue or by main. */
  readonly tree: TreeFolder;
}

/**
 * Keeps what the disk holds now beside main, before something overwrites or deletes it; durable when it resolves.
 * @param reason lower-case letters, digits and dashes
 */
export async function keepRescue(
  vault: LockedVault,
  { reason, scope }: { readonly reason: string; readonly scope?: WriteScope },
): Promise<Rescued> {
  const base = await headTree(vault);
  return withDraft(vault, `the rescue before ${reason}`, async (draft) => {
    const { tree } = await draft.takeFiles({ base, ...(scope && { scope }) });
    return { id: await publishRescue(vault, draft, { reason, base, tree }), tree };
  });
}

interface RescuedTree {
  readonly reason: string;
  readonly base: TreeFolder;
  readonly tree: TreeFolder;
}

/** Makes the commit and the ref for a tree that is in the draft. */
export async function publishRescue(
  vault: LockedVault,
  draft: Draft,
  { reason, base, tree }: RescuedTree,
): Promise<RescueId | undefined> {
  const files = treeDifference(base, tree).length;
  if (files === 0) return undefined;
  const id = newRescueId(vault, reason);
  const sha = draft.commit({
    tree: tree.oid ?? EMPTY_TREE,
    parents: [recordedHead(vault)],
    author: DEVLOOP,
    subject: `rescue: ${files} ${files === 1 ? 'file' : 'files'} before ${reason}`,
    trailers: [
      { key: RESCUE_TRAILERS.reason, value: reason },
      { key: RESCUE_TRAILERS.files, value: String(files) },
    ],
  });
  await draft.publish([{ ref: rescueRef(id), to: sha }]);
  return id;
}

/** Makes a name for a rescue. Sorts by time; two in one millisecond are told apart by a number. */
export function newRescueId({ refs, settings }: OpenVault, reason: string): RescueId {
  const time = settings.now().toISOString().replace(/[-:.]/g, '');
  for (let number = 1; ; number++) {
    const id = parseRescueId(`${time}-${reason}${number === 1 ? '' : `-${number}`}`);
    if (refs.get(rescueRef(id)) === undefined) return id;
  }
}
