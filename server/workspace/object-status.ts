import { placeText } from './object-place.ts';
import { objectsOf } from './objects-of.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { listPoints } from './point-store.ts';
import { readWorkspaceFile } from './workspace-file.ts';
import { settlePoints } from './workspace-lock.ts';

interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

export interface ObjectStatus extends ReturnType<typeof placeText> {
  /** What the points need, and is there. */
  readonly needed: Amount;
  /** What no point needs: `prune` removes it, from a bucket when it is a day old. */
  readonly garbage: Amount;
  /** Needed and not listed; `verify` asks for each, reads it, and names the points. */
  readonly missing: number;
  /** Addresses of buckets that hold copies, since a move has not ended. */
  readonly elsewhere: readonly string[];
}

/** Lists what is kept where the large files are, and compares it with what the points need. */
export async function objectStatus(workspace: OpenWorkspace, signal?: AbortSignal): Promise<ObjectStatus> {
  await settlePoints(workspace);
  const { objects: place, elsewhere = [] } = readWorkspaceFile(workspace.store) ?? workspace.file;
  const unseen = new Set((await listPoints(workspace)).flatMap(objectsOf).map(({ sha256 }) => sha256));
  const needed = { objects: 0, bytes: 0 };
  const garbage = { objects: 0, bytes: 0 };
  for await (const { sha256, size } of workspace.large().list(signal)) {
    const amount = unseen.delete(sha256) ? needed : garbage;
    amount.objects++;
    amount.bytes += size;
  }
  return { ...placeText(place), needed, garbage, missing: unseen.size, elsewhere: elsewhere.map(({ url }) => url) };
}
