import type { RescueInfo } from '../domain/commit.ts';
import { EMPTY_TREE, type TreeFolder } from '../domain/file-tree.ts';
import { type Oid, parseRescueId, type RescueId } from '../domain/ids.ts';
import { messageParts, trailerRecord } from '../domain/message-parts.ts';
import { RESCUES, rescueRef } from '../domain/ref-names.ts';
import { DEVLOOP } from '../domain/roles.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { readCommit, timeOf } from './commit-info.ts';
import { withDraft } from './draft.ts';
import { headTree } from './head-tree.ts';
import { type LockedVault, type OpenVault, recordedHead } from './open-vault.ts';

/** Where a rescue's commit says why it was made, and how many files it holds that main did not. */
const TRAILERS = { reason: 'DevLoop-Rescue', files: 'DevLoop-Files' } as const;

/**
 * Keeps what the disk holds now beside main, before something overwrites or deletes it; durable when it resolves.
 * @param reason lower-case letters, digits and dashes
 * @returns undefined where the files in the scope are as main has them
 */
export async function keepRescue(
  vault: LockedVault,
  { reason, scope }: { readonly reason: string; readonly scope?: WriteScope },
): Promise<RescueId | undefined> {
  const base = await headTree(vault);
  return withDraft(vault, `the rescue before ${reason}`, async (draft) => {
    const { tree } = await draft.takeFiles({ base, ...(scope && { scope }) });
    return publishRescue(vault, draft, { reason, base, tree });
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
  draft: Parameters<Parameters<typeof withDraft>[2]>[0],
  { reason, base, tree }: RescuedTree,
): Promise<RescueId | undefined> {
  const files = treeDifference(base, tree).length;
  if (files === 0) return undefined;
  const id = newId(vault, reason);
  const sha = draft.commit({
    tree: tree.oid ?? EMPTY_TREE,
    parents: [recordedHead(vault)],
    author: DEVLOOP,
    subject: `rescue: ${files} ${files === 1 ? 'file' : 'files'} before ${reason}`,
    trailers: [
      { key: TRAILERS.reason, value: reason },
      { key: TRAILERS.files, value: String(files) },
    ],
  });
  await draft.publish([{ ref: rescueRef(id), to: sha }]);
  return id;
}

/** Lists what was kept, newest first. */
export async function rescues(vault: OpenVault): Promise<readonly RescueInfo[]> {
  const found = [...vault.refs.all()].filter(([ref]) => ref.startsWith(RESCUES));
  const infos = await Promise.all(found.map(([ref, sha]) => rescueInfo(vault, ref.slice(RESCUES.length), sha)));
  return infos.sort((a, b) => (a.id < b.id ? 1 : -1));
}

async function rescueInfo(vault: OpenVault, id: string, sha: Oid): Promise<RescueInfo> {
  const { message, committer } = await readCommit(vault, sha);
  const trailers = trailerRecord(messageParts(message).trailers);
  return {
    id: parseRescueId(id),
    sha,
    reason: trailers[TRAILERS.reason] ?? '',
    ts: timeOf(committer),
    files: Number(trailers[TRAILERS.files] ?? 0),
  };
}

/** Sorts by time; two in one millisecond are told apart by a number. */
function newId({ refs, settings }: OpenVault, reason: string): RescueId {
  const time = settings.now().toISOString().replace(/[-:.]/g, '');
  for (let number = 1; ; number++) {
    const id = parseRescueId(`${time}-${reason}${number === 1 ? '' : `-${number}`}`);
    if (refs.get(rescueRef(id)) === undefined) return id;
  }
}
