import type { BytePath } from '../domain/byte-path.ts';
import type { ObjectTarget } from '../domain/point.ts';
import { moveObjects } from './move-objects.ts';
import { objectStatus } from './object-status.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { prune } from './prune.ts';
import { purge } from './purge.ts';
import { protectStatus } from './status.ts';
import { verifyStore } from './verify.ts';
import { withLock } from './workspace-lock.ts';

/** How a workspace's store is looked after. */
export function workspaceCare(workspace: OpenWorkspace) {
  return {
    status: () => protectStatus(workspace),
    /** Reads the whole store. */
    verify: (signal?: AbortSignal) => verifyStore(workspace, signal),
    /** Takes a path out of every point. */
    purge: (path: BytePath) => withLock(workspace, (locked) => purge(locked, path)),
    prune: () => withLock(workspace, prune),
    /** Where the large files are, and what is there. */
    objects: (signal?: AbortSignal) => objectStatus(workspace, signal),
    moveObjects: (target: ObjectTarget, signal?: AbortSignal) => moveObjects(workspace, target, signal),
  };
}
