import { type BytePath, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { movedSince } from './apply-steps.ts';
import { orderSteps, type Staged, type Step } from './restore-steps.ts';
import { shutFolders } from './shut-folders.ts';

/** Makes a plan's steps for what is staged. Throws `plan_stale` where the disk is not as the plan saw it. */
export function prepareSteps(root: string, plan: RestorePlan, staged: ReadonlyMap<BytePath, Staged>): readonly Step[] {
  const steps = orderSteps(plan, staged, shutFolders(root, plan));
  refuseMoved(root, steps);
  return steps;
}

function refuseMoved(root: string, steps: readonly Step[]): void {
  const moved = movedSince(root, steps);
  if (moved.length === 0) return;
  throw new DevLoopError('plan_stale', `${moved.length} paths were changed since the plan was made`, {
    data: { moved: moved.map(pathText) },
    hint: 'Make a new plan.',
  });
}
