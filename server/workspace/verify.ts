import { createHash } from 'node:crypto';
import { DevLoopError } from '../domain/errors.ts';
import type { Point } from '../domain/point.ts';
import { fsck } from '../git/fsck.ts';
import { listRefs } from '../git/refs.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { POINT_REFS, readPoint } from './point-store.ts';
import { pointTree } from './point-tree.ts';

export interface StoreCheck {
  readonly points: number;
  /** One line each; none where all is whole. */
  readonly problems: readonly string[];
}

/** Checks every object of the store, and that every point can be restored. Reads everything. */
export async function verifyStore(workspace: OpenWorkspace, signal?: AbortSignal): Promise<StoreCheck> {
  const refs = listRefs(workspace.repository, POINT_REFS);
  const problems = [...(await fsck(workspace.repository, [...refs.values()], signal))];
  const large = new Map<string, number>();
  for (const [ref, commit] of refs) {
    try {
      const point = await readPoint(workspace, commit);
      await pointTree(workspace, point);
      if (`${POINT_REFS}${point.id}` !== ref) problems.push(`${ref} holds the point ${point.id}`);
      noteLarge(point, large);
    } catch (error) {
      if (!(error instanceof DevLoopError)) throw error;
      problems.push(`${ref}: ${error.message}`);
    }
  }
  for (const [sha256, size] of large) {
    signal?.throwIfAborted();
    const problem = await checkLarge(workspace, sha256, size);
    if (problem !== undefined) problems.push(problem);
  }
  return { points: refs.size, problems };
}

function noteLarge({ large }: Point, into: Map<string, number>): void {
  for (const { sha256, size } of large) into.set(sha256, size);
}

async function checkLarge({ large }: OpenWorkspace, sha256: string, size: number): Promise<string | undefined> {
  if (large.sizeOf(sha256) === undefined) return `large file ${sha256} is missing`;
  if (large.sizeOf(sha256) !== size) return `large file ${sha256} has another size`;
  const hash = createHash('sha256');
  for await (const chunk of large.read(sha256)) hash.update(chunk);
  return hash.digest('hex') === sha256 ? undefined : `large file ${sha256} has another content`;
}
