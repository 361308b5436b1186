import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { entryAt, type TreeFolder } from '../domain/file-tree.ts';
import type { Point } from '../domain/point.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import { chooseExactly, type Keep } from './choose-paths.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { listPoints } from './point-store.ts';
import { pointTree } from './point-tree.ts';

/** What is known of the turn that began at a point. */
export interface TurnChanges {
  /** Keeps what the turn did not change, or what was changed after it. */
  readonly keep: Keep;
  /** True where a path is not as the turn left it. */
  readonly changedAfter: (path: BytePath) => boolean;
}

/** Compares a turn's two points with the folder as it is now; undefined for a point that no ended turn began at. */
export async function turnChanges(
  workspace: OpenWorkspace,
  pre: Point,
  { before, now }: { readonly before: TreeFolder; readonly now: TreeFolder },
): Promise<TurnChanges | undefined> {
  if (pre.phase !== 'PRE_TURN' || pre.turn === undefined) return undefined;
  const post = (await listPoints(workspace)).find(({ phase, turn }) => phase === 'POST_TURN' && turn === pre.turn);
  if (post === undefined) return undefined;
  const after = await pointTree(workspace, post);
  const byTurn = chooseExactly(treeDifference(before, after, 'exact').map(({ path }) => path));
  const changedAfter = (path: BytePath): boolean => !sameEntry(entryAt(after, path), entryAt(now, path));
  return {
    changedAfter,
    keep: (path) =>
      byTurn(path) !== undefined ? 'not_by_turn' : isFileChanged(now, path, changedAfter) ? 'changed_after' : undefined,
  };
}

/** Throws `bad_state` where nobody knows what the turn changed. */
export function knownChanges(changes: TurnChanges | undefined): TurnChanges {
  if (changes !== undefined) return changes;
  throw new DevLoopError(
    'bad_state',
    'the point does not begin a turn that has ended, so that its changes are not known',
    {
      hint: 'Restore with scope all.',
    },
  );
}

/** A folder goes with what is in it. */
function isFileChanged(now: TreeFolder, path: BytePath, changedAfter: (path: BytePath) => boolean): boolean {
  return entryAt(now, path)?.kind !== 'folder' && changedAfter(path);
}

function sameEntry(a: ReturnType<typeof entryAt>, b: ReturnType<typeof entryAt>): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === b.kind && a.oid === b.oid && a.mode === b.mode;
}
