import { hash } from 'node:crypto';
import type { FileChange } from '../domain/commit.ts';
import { type TreeChange, treeDifference } from '../domain/tree-difference.ts';
import { headTree } from './head-tree.ts';
import { onlyGrew } from './ledger-growth.ts';
import type { OpenVault } from './open-vault.ts';

export interface Status {
  readonly dirty: boolean;
  readonly files: readonly FileChange[];
  /** Names exactly this state of the differing files. */
  readonly snapshot: string;
}

/** Tells what differs between the disk and main. Ledgers that only grew do not count. */
export async function status(vault: OpenVault): Promise<Status> {
  const changes = await dirtyFiles(vault);
  return {
    dirty: changes.length > 0,
    files: changes.map(({ path, change }) => ({ path, change })),
    snapshot: snapshotOf(changes),
  };
}

/** The same with what is on either side. */
export async function dirtyFiles(vault: OpenVault): Promise<readonly TreeChange[]> {
  const head = await headTree(vault);
  const { disk } = await vault.tree.look({ tracked: head });
  const dirty: TreeChange[] = [];
  for (const change of treeDifference(head, disk)) if (!(await onlyGrew(vault, change))) dirty.push(change);
  return dirty;
}

function snapshotOf(changes: readonly TreeChange[]): string {
  const parts = changes.flatMap(({ path, from, to }) => [
    path,
    ...[from, to].map((side) => (side ? `${side.kind} ${side.mode & 0o100} ${side.oid}` : '')),
  ]);
  return hash('sha256', parts.join('\0')).slice(0, 32);
}
