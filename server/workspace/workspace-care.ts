import type { BytePath } from '../domain/byte-path.ts';
import type { ObjectTarget } from '../domain/point.ts';
import { storeBytes } from './collect-garbage.ts';
import { moveObjects } from './move-objects.ts';
import { objectStatus } from './object-status.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { loosePoints, prune, pruneThese } from './prune.ts';
import { purge } from './purge.ts';
import { protectStatus } from './status.ts';
import { verifyStore } from './verify.ts';
import { settlePoints, withLock } from './workspace-lock.ts';

/** How a workspace's store is looked after. */
export function workspaceCare(workspace: OpenWorkspace) {
  return {
    status: () => protectStatus(workspace),
    /** Reads the whole store. */
    verify: (signal?: AbortSignal) => verifyStore(workspace, signal),
    /** Takes a path out of every point. */
    purge: (path: BytePath) => withLock(workspace, (locked) => purge(locked, path)),
    prune: () => withLock(workspace, prune),
    /** The points that may be dropped to make room, oldest first. */
    loosePoints: async () => {
      await settlePoints(workspace);
      return loosePoints(workspace);
    },
    /** Drops such points, and frees their space. */
    pruneThese: (ids: ReadonlySet<string>) => withLock(workspace, (locked) => pruneThese(locked, ids)),
    /** Of the store on this disk. */
    bytes: () => storeBytes(workspace),
    /** Where the large files are, and what is there. */
    objects: (signal?: AbortSignal) => objectStatus(workspace, signal),
    moveObjects: (target: ObjectTarget, signal?: AbortSignal) => moveObjects(workspace, target, signal),
  };
}
