import { EMPTY_TREE } from '../domain/file-tree.ts';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import type { Manifest } from '../domain/point.ts';
import { DEVLOOP } from '../domain/roles.ts';
import { encodeCommit } from '../git/objects/commit-format.ts';
import type { ObjectWriter } from '../git/objects/object-writer.ts';
import { encodeTree, type TreeItem } from '../git/objects/tree-format.ts';
import { type PreparedRefs, prepareRefs, type RefTransaction } from '../git/ref-transaction.ts';
import { pointRef } from './point-ref.ts';

/** Writes a point's commit; the point is not there before a ref holds it. */
export function putPointCommit(writer: ObjectWriter, files: Oid, manifest: Manifest): Oid {
  const blob = writer.write('blob', Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`));
  const items: TreeItem[] = [{ name: 'point.json', mode: '100644', oid: blob }];
  if (files !== EMPTY_TREE) items.push({ name: 'files', mode: '40000', oid: files });
  const tree = writer.write('tree', encodeTree(items));
  const who = { ...DEVLOOP, seconds: Math.floor(Date.parse(manifest.ts) / 1000) };
  const message = `${manifest.phase} ${manifest.id}\n\n${oneLine(manifest.reason)}\n`;
  return writer.write('commit', encodeCommit({ tree, parents: [], author: who, committer: who, message }));
}

/** Makes a point: whole and durable when it resolves, not there at all when it fails. */
export async function publishPoint(
  repository: string,
  writer: ObjectWriter,
  point: { readonly files: Oid; readonly manifest: Manifest },
): Promise<Oid> {
  const commit = putPointCommit(writer, point.files, point.manifest);
  const updates = [{ ref: pointRef(point.manifest.id), old: ZERO_OID, new: commit }];
  // The objects and the ref's own file side by side, so that the disk is waited for once.
  const [prepared, finished] = await Promise.allSettled([
    preparedOnDisk({ gitDir: repository, updates }),
    writer.finish(),
  ]);
  if (prepared.status === 'rejected') throw prepared.reason;
  try {
    if (finished.status === 'rejected') throw finished.reason;
    await prepared.value.commit()();
  } finally {
    prepared.value.abort();
  }
  return commit;
}

async function preparedOnDisk(transaction: RefTransaction): Promise<PreparedRefs> {
  const prepared = await prepareRefs(transaction);
  try {
    await prepared.sync();
    return prepared;
  } catch (error) {
    prepared.abort();
    throw error;
  }
}

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, 200)
    .trim() || '-';
