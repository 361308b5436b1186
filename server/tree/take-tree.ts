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
  const { disk, leftOut, nested } = await walkAndTake(request);
  const filled = await runSteps(fillTree({ root, disk, scope, sink }), signal);
  return { nested, disk: filled.disk, leftOut: [...leftOut, ...filled.leftOut] };
}

/** What was seen first is let go of where it ends: of many files it is as large as what they have become. */
async function walkAndTake(request: TakeRequest): Promise<Walked> {
  const { root, scope, sink, signal } = request;
  const seen = await runSteps(walk(request), signal);
  const disk = await takeMany({ root, disk: seen.disk, scope, sink, nested: seen.nested, signal });
  return { ...seen, disk };
}
