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
  const { disk: seen, leftOut, nested } = await runSteps(walk(request), signal);
  const disk = await takeMany({ root, disk: seen, scope, sink, nested, signal });
  const filled = await runSteps(fillTree({ root, disk, scope, sink }), signal);
  return { nested, disk: filled.disk, leftOut: [...leftOut, ...filled.leftOut] };
}
