import type { Workspace } from '../app-workspaces.ts';
import { DevLoopError } from '../domain/errors.ts';
import { type PointId, parsePointId } from '../domain/point.ts';

/** The sides of a comparison as they were typed: the newest point and now where they are absent. Throws point_not_found. */
export async function comparedSides(
  workspace: Workspace,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<{ readonly from: PointId; readonly to: PointId | 'now' }> {
  const [newest] = from === undefined ? await workspace.points() : [];
  if (from === undefined && newest === undefined) {
    throw new DevLoopError('point_not_found', 'there is no point of this folder yet', {
      hint: '`devloop snap` makes one.',
    });
  }
  return {
    from: parsePointId(from ?? newest?.id ?? ''),
    to: to === undefined || to === 'now' ? 'now' : parsePointId(to),
  };
}
