import { fillTree } from './fill-tree.ts';
import type { ObjectSink } from './object-sink.ts';
import { runSteps } from './run-steps.ts';
import { takeMany } from './take-many.ts';
import { walk } from './walk.ts';
import type { Walked, WalkRequest } from './walk-request.ts';

export interface TakeRequest extends WalkRequest {
  readonly sink: ObjectSink;
  readonly signal: AbortSignal | undefined;
}

/** Walks a folder and reads what has no id yet. Others run in between. */
export async function takeTree(request: TakeRequest): Promise<Walked> {
  const { root, scope, sink, signal } = request;
  const walked = await runSteps(walk(request), signal);
  const disk = await takeMany({ root, disk: walked.disk, scope, sink, nested: walked.nested, signal });
  const filled = await runSteps(fillTree({ root, disk, scope, sink }), signal);
  return { ...walked, disk: filled.disk, leftOut: [...walked.leftOut, ...filled.leftOut] };
}
