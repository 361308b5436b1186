import { lstatSync } from 'node:fs';
import { type BytePath, baseName, joinPath, parentPath, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { diskPath } from './disk-path.ts';
import { movedSince } from './moved-since.ts';
import { foldPath, orderSteps, type Staged, type Step } from './restore-steps.ts';
import { shutFolders } from './shut-folders.ts';

/** Makes a plan's steps for what is staged. Throws `conflict` where the file system cannot tell two of the names apart. */
export function prepareSteps(
  root: string,
  plan: RestorePlan,
  staged: ReadonlyMap<BytePath, Staged>,
  stages: readonly BytePath[],
): readonly Step[] {
  if (isCaseBlind(root, stages)) refuseClashes([...staged.keys()]);
  return orderSteps(plan, staged, shutFolders(root, plan));
}

/** Throws `plan_stale` where the disk is not as the plan saw it. */
export function refuseMoved(root: string, steps: readonly Step[]): void {
  const moved = movedSince(root, steps);
  if (moved.length === 0) return;
  throw new DevLoopError('plan_stale', `${moved.length} paths were changed since the plan was made`, {
    data: { moved: moved.map(pathText) },
    hint: 'Make a new plan.',
  });
}

/** The stage's own name tells: nobody made one in capitals. */
function isCaseBlind(root: string, [stage]: readonly BytePath[]): boolean {
  if (stage === undefined) return false;
  const shouted = joinPath(parentPath(stage), baseName(stage).toUpperCase());
  return lstatSync(diskPath(root, shouted), { throwIfNoEntry: false }) !== undefined;
}

function refuseClashes(paths: readonly BytePath[]): void {
  const seen = new Map<string, BytePath>();
  for (const path of paths) {
    const other = seen.get(foldPath(path));
    if (other !== undefined) {
      throw new DevLoopError('conflict', 'two names differ in case only, and the file system cannot hold both', {
        data: { paths: [pathText(other), pathText(path)] },
      });
    }
    seen.set(foldPath(path), path);
  }
}
