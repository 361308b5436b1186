import type { FileChange } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_FOLDER, type TreeFolder } from '../domain/file-tree.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import type { WorkingTree } from '../tree/index.ts';
import { BaselineStore } from './baseline-store.ts';
import { onlyGrew } from './ledger-growth.ts';
import type { LockedVault, OpenVault } from './open-vault.ts';

export interface Held {
  readonly store: BaselineStore;
  readonly files: WorkingTree;
  tree: TreeFolder;
}

/** By the server's folder of the project: the vault itself may be closed and opened meanwhile. */
const baselines = new Map<string, Held>();

/** Takes the working tree as it is now for what calls are judged against, unless one is held. Its content can be put back. */
export async function takeBaseline(vault: LockedVault): Promise<void> {
  if (baselines.has(vault.state)) return;
  const store = new BaselineStore(vault);
  const files = vault.judged;
  const { tree } = await files.write({ base: EMPTY_FOLDER, sink: store });
  baselines.set(vault.state, { store, files, tree });
}

/** Lists what differs from the baseline. A ledger that only grew does not count: the server appends to it at any time. */
export async function changesSinceBaseline(vault: OpenVault): Promise<readonly FileChange[]> {
  const { files, tree, store } = heldFor(vault);
  const { disk } = await files.look();
  const changes: FileChange[] = [];
  for (const change of treeDifference(tree, disk, 'exact')) {
    if (!(await onlyGrew(vault, change, (file) => store.read(file)))) {
      changes.push({ path: change.path, change: change.change });
    }
  }
  return changes;
}

/** Moves the baseline on to what the disk has of the files in scope. */
export async function advanceBaseline(vault: LockedVault, scope: WriteScope): Promise<void> {
  const held = heldFor(vault);
  const { tree } = await held.files.write({ base: held.tree, scope, sink: held.store });
  held.tree = tree;
}

export function dropBaseline(vault: LockedVault): void {
  const held = baselines.get(vault.state);
  baselines.delete(vault.state);
  held?.store.drop();
}

/** The baseline that is held of a project. Throws `bad_state` where none is. */
export function heldFor({ state, pid }: OpenVault): Held {
  const held = baselines.get(state);
  if (held !== undefined) return held;
  throw new DevLoopError('bad_state', `no baseline is held of project ${pid}`, { data: { pid } });
}
