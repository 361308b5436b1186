import { lstatSync } from 'node:fs';
import { type BytePath, parentPath } from '../domain/byte-path.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';
import { needsContent } from './restore-steps.ts';
import { STAGE_PREFIX } from './walk.ts';

/**
 * Chooses where new files wait before they take their places: each on the file system of its target, so beside the root's
 * entries or below an inner mount.
 * @returns the stage folder for each target
 */
export function chooseStages(root: string, id: string, plan: RestorePlan): ReadonlyMap<BytePath, BytePath> {
  const name = usualStage(id);
  const chosen = new Map<BytePath, BytePath>();
  const mounts = new Map<BytePath, BytePath>();
  for (const { path: target } of plan.files.filter(needsContent)) {
    const mount = mountOf(root, parentPath(target), mounts);
    chosen.set(target, (mount === '' ? name : `${mount}/${name}`) as BytePath);
  }
  return chosen;
}

/** Where new files wait unless their targets are below an inner mount. */
export const usualStage = (id: string): BytePath => `${STAGE_PREFIX}${id}` as BytePath;

/** True where the notes and all that is written are on one file system. */
export function isOneDisk(
  journal: string,
  { root, stages }: { readonly root: string; readonly stages: readonly BytePath[] },
): boolean {
  return lstatSync(journal).dev === lstatSync(root).dev && stages.every((stage) => parentPath(stage) === '');
}

/** The topmost folder above (or at) a path that is on the same file system as it. */
function mountOf(root: string, folder: BytePath, known: Map<BytePath, BytePath>): BytePath {
  const before = known.get(folder);
  if (before !== undefined) return before;
  const above = parentPath(folder);
  const own = folder === '' ? undefined : deviceOf(root, folder);
  const outer = folder === '' ? folder : mountOf(root, above, known);
  const mount = own === undefined || own === deviceOf(root, outer) ? outer : folder;
  known.set(folder, mount);
  return mount;
}

function deviceOf(root: string, folder: BytePath): number | undefined {
  try {
    const stats = lstatSync(diskPath(root, folder));
    return stats.isDirectory() ? stats.dev : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
