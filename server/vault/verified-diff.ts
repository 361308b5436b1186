import { type BytePath, isWithin, joinPath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { paired } from '../domain/tree-difference.ts';
import { type DiffedBlobs, type DiffOptions, diffTree, type TreeDiff } from '../git/diff-tree.ts';
import { EMPTY_TREE } from '../git/objects/object-id.ts';
import type { TreeItem } from '../git/objects/tree-format.ts';
import type { OpenVault } from './open-vault.ts';
import { readTreeItems } from './read-tree.ts';

/**
 * Compares two trees by git, and holds what it looked at against the ids: git shows a swapped object without a word.
 * @throws DevLoopError vault_damaged, object_missing, body_too_large
 */
export async function verifiedDiff(
  vault: OpenVault,
  ends: { readonly from: Oid; readonly to: Oid },
  options: DiffOptions = {},
): Promise<TreeDiff> {
  const [diff, expected] = await Promise.all([diffTree(vault.shadow, ends, options), differingFiles(vault, ends)]);
  const wanted =
    options.path === undefined ? expected : expected.filter(({ path }) => isWithin(path, options.path ?? path));
  if (print(diff.blobs) !== print(wanted))
    throw new DevLoopError('vault_damaged', 'git does not see the trees as their ids say', { data: { ...ends } });
  const blobs = new Set(diff.blobs.flatMap(({ from, to }) => [from, to]));
  await Promise.all([...blobs].map((oid) => oid && vault.reader.check(oid)));
  return diff;
}

/** Lists the files that differ, from trees that hash to their ids. */
export async function differingFiles(
  vault: OpenVault,
  { from, to }: { readonly from: Oid; readonly to: Oid },
  folder = '' as BytePath,
): Promise<readonly DiffedBlobs[]> {
  if (from === to) return [];
  const [before, after] = await Promise.all([readTreeItems(vault, from), readTreeItems(vault, to)]);
  const pairs = [...paired(byName(before), byName(after))];
  const below = await Promise.all(
    pairs.map(([a, b]) => entryDifference(vault, joinPath(folder, (a ?? b)?.name ?? ''), [a, b])),
  );
  return below.flat();
}

type Pair = readonly [TreeItem | undefined, TreeItem | undefined];

async function entryDifference(vault: OpenVault, path: BytePath, [a, b]: Pair): Promise<readonly DiffedBlobs[]> {
  if (a?.oid === b?.oid && a?.mode === b?.mode) return [];
  const below =
    isFolder(a) || isFolder(b) ? await differingFiles(vault, { from: folderOid(a), to: folderOid(b) }, path) : [];
  if ((a === undefined || isFolder(a)) && (b === undefined || isFolder(b))) return below;
  return [{ path, ...side('from', a), ...side('to', b) }, ...below];
}

const isFolder = (item: TreeItem | undefined): boolean => item?.mode === '40000';
const folderOid = (item: TreeItem | undefined): Oid => (item !== undefined && isFolder(item) ? item.oid : EMPTY_TREE);

/** A commit of a nested repository is no blob of this one. */
function side(name: 'from' | 'to', item: TreeItem | undefined): Partial<DiffedBlobs> {
  return item === undefined || item.mode === '40000' || item.mode === '160000' ? {} : { [name]: item.oid };
}

const byName = (items: readonly TreeItem[]): readonly TreeItem[] =>
  items.toSorted((a, b) => (a.name < b.name ? -1 : 1));

function print(blobs: readonly DiffedBlobs[]): string {
  return blobs
    .map(({ path, from, to }) => `${path}\0${from ?? ''}\0${to ?? ''}`)
    .sort()
    .join('\n');
}
