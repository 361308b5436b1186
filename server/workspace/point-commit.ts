import { EMPTY_TREE } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { Manifest } from '../domain/point.ts';
import { DEVLOOP } from '../domain/roles.ts';
import { encodeCommit } from '../git/objects/commit-format.ts';
import type { ObjectWriter } from '../git/objects/object-writer.ts';
import { encodeTree, type TreeItem } from '../git/objects/tree-format.ts';

/** Writes a point's commit; the point is not there before a ref holds it. */
export function putPointCommit(writer: Pick<ObjectWriter, 'write'>, files: Oid, manifest: Manifest): Oid {
  const blob = writer.write('blob', Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`));
  const items: TreeItem[] = [{ name: 'point.json', mode: '100644', oid: blob }];
  if (files !== EMPTY_TREE) items.push({ name: 'files', mode: '40000', oid: files });
  const tree = writer.write('tree', encodeTree(items));
  const who = { ...DEVLOOP, seconds: Math.floor(Date.parse(manifest.ts) / 1000) };
  const message = `${manifest.phase} ${manifest.id}\n\n${oneLine(manifest.reason)}\n`;
  return writer.write('commit', encodeCommit({ tree, parents: [], author: who, committer: who, message }));
}

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, 200)
    .trim() || '-';
