import { isDevLoopError } from '../domain/errors.ts';
import type { Point } from '../domain/point.ts';
import { hasCode } from '../io/io-error.ts';
import type { LargeFile, LargeObjects } from './objects/large-objects.ts';
import { objectsOf } from './objects-of.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** Reads every large file that the points need. @returns a line for each that is lost, with the points that need it */
export async function lostObjects(
  workspace: OpenWorkspace,
  points: readonly Point[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const needed = points.flatMap((point) => objectsOf(point).map((file) => ({ file, point })));
  const problems: string[] = [];
  for (const [sha256, uses] of Map.groupBy(needed, ({ file }) => file.sha256)) {
    signal?.throwIfAborted();
    const [first] = uses;
    const problem = first && (await faultOf(workspace.large(), first.file, signal));
    if (problem === undefined) continue;
    if (problems.length === 0) await listSome(workspace.large(), signal);
    const ids = [...new Set(uses.map(({ point }) => point.id))].join(' ');
    problems.push(`large file ${sha256} (${first?.file.path}) ${problem}, and is needed by ${ids}`);
  }
  return problems;
}

/** Where the bucket itself is not there, its refusal tells more than each object that is missing. */
async function listSome(objects: LargeObjects, signal?: AbortSignal): Promise<void> {
  for await (const _ of objects.list(signal)) return;
}

async function faultOf(objects: LargeObjects, file: LargeFile, signal?: AbortSignal): Promise<string | undefined> {
  const size = await objects.sizeOf(file.sha256, signal);
  if (size === undefined) return 'is missing';
  if (size !== file.size) return 'has another size';
  try {
    for await (const _ of objects.read(file, signal)) signal?.throwIfAborted();
    return undefined;
  } catch (error) {
    if (isDevLoopError(error, 'store_damaged')) return 'has another content';
    if (hasCode(error, 'EIO', 'ENOENT', 'EACCES')) return `cannot be read (${error.code})`;
    throw error;
  }
}
