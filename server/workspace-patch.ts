import { type Comparer, comparisonText } from './compare/index.ts';
import { type BytePath, fromPathText, isWithin } from './domain/byte-path.ts';
import type { Comparison } from './domain/comparison.ts';
import type { FilePatch } from './http/index.ts';
import type { Side, Workspace, WorkspaceChange } from './workspace/index.ts';

export interface PatchRequest {
  readonly from: Side;
  readonly to: Side;
  /** Only this file, or what is below this folder. */
  readonly path?: BytePath | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly comparer: Comparer;
}

type Open = Awaited<ReturnType<Workspace['fileOpener']>>;

/** Milliseconds for one file, text or document, and for all of them, and bytes of what is shown of all: what is beyond is named and not shown. */
const LIMITS = { text_ms: 1_000, document_ms: 30_000, all_ms: 60_000, all_bytes: 32 << 20 } as const;

/** Compares two sides of a workspace file by file: lines, and what else has a structure by it. */
export async function workspacePatch(workspace: Workspace, request: PatchRequest): Promise<readonly FilePatch[]> {
  const { from, to, path = '' as BytePath, signal } = request;
  const changes = await workspace.changes(from, to);
  const [before, after] = [await workspace.fileOpener(from), await workspace.fileOpener(to)];
  const end = performance.now() + LIMITS.all_ms;
  const patches: FilePatch[] = [];
  let left_bytes: number = LIMITS.all_bytes;
  for (const change of changes.filter((one) => isWithin(fromPathText(one), path))) {
    signal?.throwIfAborted();
    const left = { left_ms: end - performance.now(), left_bytes };
    const patch = await filePatch(change, { ...request, before, after, ...left });
    left_bytes -= patch.patch.length;
    patches.push(patch);
  }
  return patches;
}

interface FileRequest extends PatchRequest {
  readonly before: Open;
  readonly after: Open;
  readonly left_ms: number;
  readonly left_bytes: number;
}

async function filePatch(
  change: WorkspaceChange,
  { before, after, left_ms, left_bytes, comparer, signal }: FileRequest,
): Promise<FilePatch> {
  const heading = `${change.change} ${change.path}`;
  if (left_ms <= 0) return { ...change, opaque: 'too_different', patch: Buffer.from(`${heading}: no time was left\n`) };
  if (left_bytes <= 0) return { ...change, opaque: 'too_large', patch: Buffer.from(`${heading}: no room was left\n`) };
  const path = fromPathText(change);
  const old = change.renamed_from === undefined ? path : fromPathText(change.renamed_from);
  const { comparison, patch } = await comparer.compare({
    path: change.path,
    before: () => before(old),
    after: () => after(path),
    text_ms: Math.min(LIMITS.text_ms, left_ms),
    timeout_ms: Math.min(LIMITS.document_ms, left_ms),
    signal,
  });
  const about = { ...change, comparison, ...countsOf(comparison) };
  if (patch !== undefined && patch.length > 0) return { ...about, patch };
  if (comparison.kind === 'same' || comparison.kind === 'text') return { ...about, patch: Buffer.from(`${heading}\n`) };
  return { ...about, patch: Buffer.from(`${heading}: ${comparisonText(comparison)}`) };
}

/** Lines, or of a document blocks; nothing but the reason where neither is shown. */
function countsOf(comparison: Comparison): Pick<FilePatch, 'additions' | 'deletions' | 'opaque'> {
  switch (comparison.kind) {
    case 'same':
      return { additions: 0, deletions: 0 };
    case 'text':
      return { additions: comparison.additions, deletions: comparison.deletions };
    case 'document':
    case 'pdf': {
      const { added, deleted, changed } = comparison.counts;
      return { additions: added + changed, deletions: deleted + changed };
    }
    case 'image':
      return { opaque: 'binary' };
    case 'binary':
      return { opaque: OWN_REASONS.find((why) => why === comparison.why) ?? 'binary' };
  }
}

const OWN_REASONS = ['too_large', 'too_different'] as const;
