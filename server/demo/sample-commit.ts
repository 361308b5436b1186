import { join } from 'node:path';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { encodeCommit } from '../git/objects/commit-format.ts';
import { openObjectStore } from '../git/objects/object-store.ts';
import { openObjectWriter } from '../git/objects/object-writer.ts';
import { encodeTree } from '../git/objects/tree-format.ts';
import { updateRefs } from '../git/ref-transaction.ts';

/** Makes the first commit of a repository, of one file, on main. @returns the file's blob */
export async function sampleCommit(
  gitDir: string,
  file: { readonly name: string; readonly text: string },
): Promise<Oid> {
  const writer = openObjectWriter(openObjectStore(join(gitDir, 'objects')), { durable: false });
  const oid = writer.write('blob', Buffer.from(file.text));
  const tree = writer.write('tree', encodeTree([{ name: file.name, mode: '100644', oid }]));
  const who = { name: 'Ann', email: 'ann@example.com', seconds: 1_700_000_000 };
  const message = 'Begin the library\n';
  const commit = writer.write('commit', encodeCommit({ tree, parents: [], author: who, committer: who, message }));
  await writer.finish();
  await updateRefs({ gitDir, updates: [{ ref: 'refs/heads/main', old: ZERO_OID, new: commit }] });
  return oid;
}
