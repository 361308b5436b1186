import type { Workspace, WorkspaceChange } from '../app-workspaces.ts';
import { type BytePath, fromPathText } from '../domain/byte-path.ts';
import type { PointId } from '../domain/point.ts';

export interface PatchRequest {
  readonly from: PointId;
  readonly to: PointId | 'now';
  readonly item: WorkspaceChange;
  readonly path: BytePath;
}

const LARGEST = 8 << 20;

/** The lines in which a file differs, in the unified format; one line for what is no text. */
export async function patchOf(workspace: Workspace, { from, to, item, path }: PatchRequest): Promise<Uint8Array> {
  const { textDiff } = await import('../app-workspaces.ts');
  const before = item.renamed_from === undefined ? path : fromPathText(item.renamed_from);
  const [old, now] = await Promise.all([
    workspace.readFile(from, { path: before, limit: LARGEST }),
    workspace.readFile(to, { path, limit: LARGEST }),
  ]);
  const diff = textDiff({ path: item.path, from: old, to: now });
  if (diff.kind === 'text') return diff.patch;
  if (diff.kind === 'same') return Buffer.from(`${item.change} ${item.path}\n`);
  return Buffer.from(`${item.path}: ${diff.why}, ${diff.from?.size ?? 0} bytes before, ${diff.to?.size ?? 0} after\n`);
}
