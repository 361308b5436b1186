import { inParallel } from '../io/in-parallel.ts';
import type { LargeFile } from './objects/large-objects.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** Questions and uploads at once. */
const MOST_AT_ONCE = 4;

/**
 * Brings large files that were taken to where they are kept, and asks there for each of them: a point may refer to them only
 * afterwards.
 * @returns those that are neither there nor taken
 */
export async function settleObjects(
  workspace: OpenWorkspace,
  files: Iterable<LargeFile>,
  signal?: AbortSignal,
): Promise<readonly LargeFile[]> {
  const distinct = new Map([...files].map((file) => [file.sha256, file]));
  if (distinct.size === 0) return [];
  const { spool } = workspace;
  const objects = workspace.large();
  const lost: LargeFile[] = [];
  await inParallel(distinct.values(), MOST_AT_ONCE, async (file) => {
    if (objects !== spool && spool.has(file)) {
      await objects.put(file, spool.read(file), signal);
      await spool.remove(file.sha256);
    } else if ((await objects.sizeOf(file.sha256, signal)) !== file.size) lost.push(file);
  });
  return lost;
}
