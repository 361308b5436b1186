import type { Comparer } from './compare/index.ts';
import { type BytePath, fromPathText, pathText } from './domain/byte-path.ts';
import type { PictureRequest } from './http/index.ts';
import type { Side, Workspace } from './workspace/index.ts';

/** Draws a file of a side of a workspace, or how it differs between both, as PNG. Throws not_found, point_not_found. */
export async function workspacePicture(
  workspace: Workspace,
  { from, to, path, show, comparer, ...request }: PictureRequest & { readonly comparer: Comparer },
): Promise<Uint8Array> {
  const [before, after] = [await workspace.fileOpener(from), await workspace.fileOpener(to)];
  const old = show === 'after' ? path : await pathBefore(workspace, { from, to, path });
  return comparer.draw({
    ...request,
    show,
    path: pathText(path).path,
    ...(show !== 'after' && { before: () => before(old) }),
    ...(show !== 'before' && { after: () => after(path) }),
  });
}

/** Where a file that was moved between the sides was before. */
async function pathBefore(
  workspace: Workspace,
  { from, to, path }: { readonly from: Side; readonly to: Side; readonly path: BytePath },
): Promise<BytePath> {
  if (from === to) return path;
  const moved = (await workspace.changes(from, to)).find((change) => fromPathText(change) === path)?.renamed_from;
  return moved === undefined ? path : fromPathText(moved);
}
