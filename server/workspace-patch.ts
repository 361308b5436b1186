import { textDiff } from './compare/index.ts';
import { type BytePath, fromPathText, isWithin } from './domain/byte-path.ts';
import { isDevLoopError } from './domain/errors.ts';
import type { FilePatch } from './http/index.ts';
import type { Side, Workspace, WorkspaceChange } from './workspace/index.ts';

export interface PatchRequest {
  readonly from: Side;
  readonly to: Side;
  /** Only this file, or what is below this folder. */
  readonly path?: BytePath | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Read = Awaited<ReturnType<Workspace['fileReader']>>;

/** Bytes of a content, and milliseconds for one file and for all of them: what goes beyond is named and not shown. */
const LIMITS = { content: 2 << 20, file_ms: 1_000, all_ms: 20_000 } as const;

/** Compares two sides of a workspace file by file, the lines of those that are text. */
export async function workspacePatch(workspace: Workspace, request: PatchRequest): Promise<readonly FilePatch[]> {
  const { from, to, path = '' as BytePath, signal } = request;
  const changes = await workspace.changes(from, to);
  const [before, after] = [await workspace.fileReader(from), await workspace.fileReader(to)];
  const end = performance.now() + LIMITS.all_ms;
  const patches: FilePatch[] = [];
  for (const change of changes.filter((one) => isWithin(fromPathText(one), path))) {
    signal?.throwIfAborted();
    const timeout_ms = Math.min(LIMITS.file_ms, end - performance.now());
    patches.push(await filePatch(change, { before, after, timeout_ms }));
  }
  return patches;
}

async function filePatch(
  change: WorkspaceChange,
  { before, after, timeout_ms }: { readonly before: Read; readonly after: Read; readonly timeout_ms: number },
): Promise<FilePatch> {
  if (timeout_ms <= 0) return unshown(change, 'too_different');
  const path = fromPathText(change);
  try {
    const from = await before(
      change.renamed_from === undefined ? path : fromPathText(change.renamed_from),
      LIMITS.content,
    );
    const to = await after(path, LIMITS.content);
    const diff = textDiff({ path: change.path, from, to, limit: LIMITS.content, timeout_ms });
    switch (diff.kind) {
      case 'same':
        return { ...change, additions: 0, deletions: 0, patch: Buffer.from(`${change.change} ${change.path}\n`) };
      case 'text':
        return { ...change, additions: diff.additions, deletions: diff.deletions, patch: diff.patch };
      case 'opaque':
        return unshown(change, diff.why, `${diff.from?.size ?? 0} bytes before, ${diff.to?.size ?? 0} after`);
    }
  } catch (error) {
    if (!isDevLoopError(error, 'body_too_large')) throw error;
    return unshown(change, 'too_large');
  }
}

function unshown(change: WorkspaceChange, opaque: string, sizes?: string): FilePatch {
  const patch = Buffer.from(`${change.change} ${change.path}: ${[opaque, sizes].filter(Boolean).join(', ')}\n`);
  return { ...change, opaque, patch };
}
