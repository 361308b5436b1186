import type { NestedRepository, Point } from '../domain/point.ts';
import type { OpenTurn } from '../domain/turn.ts';
import { trackedBy } from './collect-files.ts';
import { storeBytes } from './collect-garbage.ts';
import { leftOutRows } from './manifest-of.ts';
import { nestedRows } from './nested-rows.ts';
import { readOpenTurns } from './open-turns.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { hashSink } from './point-sink.ts';
import { listPoints } from './point-store.ts';
import { settlePoints, settleRestores } from './workspace-lock.ts';

export interface ProtectStatus {
  readonly id: string;
  readonly root: string;
  readonly name?: string;
  readonly points: number;
  readonly last?: Pick<Point, 'id' | 'ts' | 'phase' | 'complete'>;
  readonly open_turns: readonly OpenTurn[];
  /** What points do not hold, with the reason. */
  readonly not_protected: readonly { readonly path: string; readonly path_b64?: string; readonly reason: string }[];
  readonly nested: readonly NestedRepository[];
  /** Of the store. */
  readonly bytes: number;
}

/** Tells what is protected, what is not and why. */
export async function protectStatus(workspace: OpenWorkspace): Promise<ProtectStatus> {
  await settlePoints(workspace);
  await settleRestores(workspace);
  const points = await listPoints(workspace);
  const last = points.at(-1);
  const tracked = await trackedBy(workspace, last);
  const look = await workspace.tree().files.look({ tracked, hasher: hashSink(workspace) });
  const { id, root, file, store } = workspace;
  return {
    id,
    root,
    ...(file.name !== undefined && { name: file.name }),
    points: points.length,
    ...(last && { last: { id: last.id, ts: last.ts, phase: last.phase, complete: last.complete } }),
    open_turns: readOpenTurns(store),
    not_protected: leftOutRows(look.leftOut),
    nested: nestedRows(workspace, look.disk, look.nested),
    bytes: storeBytes(workspace),
  };
}
