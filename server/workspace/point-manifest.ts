import { randomBytes } from 'node:crypto';
import type { BytePath } from '../domain/byte-path.ts';
import { EMPTY_TREE } from '../domain/file-tree.ts';
import { type Manifest, type Phase, type Point, type PointAbout, stampedId } from '../domain/point.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';
import type { Collected } from './collect-files.ts';
import { type HistoryPart, withHistories } from './histories/save-histories.ts';
import { filesPart, isComplete, leftOutRows } from './manifest-of.ts';
import { nestedRows } from './nested-rows.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** Writes down what a point holds, and how it compares with the last one. */
export function manifestOf(
  workspace: OpenWorkspace,
  {
    request,
    collected,
    last,
    histories,
  }: {
    request: PointAbout & { readonly phase: Phase; readonly turn?: string | undefined };
    collected: Collected;
    last: Point | undefined;
    histories: ReadonlyMap<BytePath, HistoryPart>;
  },
): Manifest {
  const { disk, tree, leftOut, nested, largeFiles } = collected;
  const now = workspace.options.now();
  const { phase, reason, actor, task_id, run_id, turn, name, pin } = request;
  const files = filesPart(disk, largeFiles, workspace.largeFileBytes);
  const about = withoutUndefined({ actor, task_id, run_id, turn, name });
  const part = {
    schema: 1 as const,
    id: stampedId(now, randomBytes(3).toString('hex')),
    seq: (last?.seq ?? 0) + 1,
    phase,
    reason,
    ...about,
    pinned: pin ?? false,
    ts: now.toISOString(),
    complete: isComplete(leftOut),
    left_out: leftOutRows(leftOut),
    nested: withHistories(nestedRows(workspace, disk, nested), histories),
    ...files,
  };
  return { ...part, noop: equals(last, { ...part, files: tree.oid ?? EMPTY_TREE }) };
}

/** True where a point holds the very files, modes and folders. */
function equals(
  last: Point | undefined,
  now: Pick<Manifest, 'folders' | 'modes' | 'large'> & { readonly files: string },
): boolean {
  if (last === undefined || last.files !== now.files) return false;
  return (['folders', 'modes', 'large'] as const).every(
    (key) => JSON.stringify(last[key]) === JSON.stringify(now[key]),
  );
}
