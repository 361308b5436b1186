import { type BytePath, parseBytePath, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { PointAbout, PointId } from '../domain/point.ts';
import { explainPath } from '../tree/index.ts';
import { changesBetween, type Side } from './changes.ts';
import { fileOpener, fileReader, pointOpener } from './file-reader.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { findPoint, listPoints } from './point-store.ts';
import { takePoint } from './take-point.ts';
import { settlePoints, withLock } from './workspace-lock.ts';

/** What a workspace tells of its points, and how one is taken. */
export function workspacePoints(workspace: OpenWorkspace) {
  return {
    /** Keeps the folder as it is now. */
    takePoint: (about: PointAbout, signal?: AbortSignal) =>
      withLock(workspace, (locked) => takePoint(locked, { ...about, phase: 'MANUAL', signal })),
    /** Newest first. */
    points: async () => {
      await settlePoints(workspace);
      return (await listPoints(workspace)).toReversed();
    },
    point: async (id: PointId) => {
      await settlePoints(workspace);
      return findPoint(workspace, id);
    },
    changes: (from: Side, to: Side) => changesBetween(workspace, from, to),
    /** Reads many files of one side. */
    fileReader: (side: Side) => fileReader(workspace, side),
    /** Opens many files of one side, large ones in pieces; each that was opened must be read. */
    fileOpener: (side: Side) => fileOpener(workspace, side),
    readFile: async (side: Side, { path, limit }: { readonly path: BytePath; readonly limit: number }) =>
      (await fileReader(workspace, side))(path, limit),
    /** A file of a point, a large one in pieces; undefined where the point does not hold it. */
    openFile: async (id: PointId, path: BytePath) => {
      await settlePoints(workspace);
      return (await pointOpener(workspace, await findPoint(workspace, id)))(path);
    },
    /** Which rule decides whether points hold a path. */
    explain: (path: BytePath) => {
      if (parseBytePath(path) !== undefined) return explainPath(workspace.root, workspace.tree().rules, path);
      throw new DevLoopError('path_refused', 'the path does not lead into the workspace', {
        data: { ...pathText(path) },
      });
    },
  };
}
