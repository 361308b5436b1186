import { join } from 'node:path';
import { type BytePath, isWithin } from '../domain/byte-path.ts';
import type { FileChange } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_FOLDER, type TreeFolder } from '../domain/file-tree.ts';
import type { RescueId } from '../domain/ids.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { openWorkingTree, parseIgnoreList, type TreeRules, type WorkingTree } from '../tree/index.ts';
import { BaselineStore } from './baseline-store.ts';
import { withDraft } from './draft.ts';
import { headTree } from './head-tree.ts';
import { onlyGrew } from './ledger-growth.ts';
import type { LockedVault, OpenVault } from './open-vault.ts';
import { publishRescue } from './rescues.ts';
import { NOT_ASKED, type Restored, writeFiles } from './write-files.ts';

/**
 * What is judged: all files, ignored ones too, since what an ignored file holds may decide how another unit's tests end.
 * Not the server's running state, which it writes all the time, and not what tools make again by themselves.
 */
const UNJUDGED = '/agent-state/\n/history/\n/stream.log\nnode_modules/\n.cache/\n.tmp/\n.coverage/\n.vitest-cache/\n';

interface Held {
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
  const stateFile = join(vault.state, 'baseline-cache.bin');
  const files = openWorkingTree({ root: vault.root, stateFile, rules: rulesOf(vault) });
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
  held?.files.save();
  held?.store.drop();
}

/** Writes the baseline's content back over paths; what was there is kept in a rescue first. */
export async function putBack(vault: LockedVault, paths: readonly BytePath[], reason: string): Promise<Restored> {
  const { files, tree, store } = heldFor(vault);
  const asked = new Set(paths);
  const isAsked = (path: BytePath): boolean => asked.has(path) || paths.some((below) => isWithin(below, path));
  const { disk } = await files.look();
  return writeFiles(vault, {
    now: disk,
    target: tree,
    modes: 'exact',
    keep: (path) => (isAsked(path) ? undefined : NOT_ASKED),
    read: (file) => store.read(file),
    rescue: ({ files: steps }) => keepStrays(vault, files, { reason, paths: steps.map(({ path }) => path) }),
  });
}

async function keepStrays(
  vault: LockedVault,
  files: WorkingTree,
  { reason, paths }: { readonly reason: string; readonly paths: readonly BytePath[] },
): Promise<RescueId | undefined> {
  const base = await headTree(vault);
  return withDraft(vault, `the rescue before ${reason}`, async (draft) => {
    const { tree } = await draft.takeFiles({ base, scope: paths, files });
    return publishRescue(vault, draft, { reason, base, tree });
  });
}

function rulesOf({ settings }: OpenVault): TreeRules {
  return {
    ignoreFiles: false,
    lists: [parseIgnoreList(UNJUDGED, 'what is not judged')],
    maxFileBytes: settings.max_file_bytes,
    key: `baseline 1 ${settings.max_file_bytes}`,
  };
}

function heldFor({ state, pid }: OpenVault): Held {
  const held = baselines.get(state);
  if (held !== undefined) return held;
  throw new DevLoopError('bad_state', `no baseline is held of project ${pid}`, { data: { pid } });
}
