import { type BytePath, bytePathFromLatin1 } from '../domain/byte-path.ts';
import { type Oid, parseOid } from '../domain/ids.ts';
import { readGitEnd } from './stream.ts';

export type MergeResult =
  | { readonly kind: 'clean'; readonly tree: Oid }
  /** Paths that both sides changed in ways that do not go together; in byte order, each once. */
  | { readonly kind: 'conflict'; readonly files: readonly BytePath[] };

/**
 * Merges two commits without a working tree, by their own common ancestor.
 * @param newObjects absolute path of the folder that the trees and blobs of the result are written to
 */
export async function mergeTree(
  shadowDir: string,
  { ours, theirs, newObjects }: { readonly ours: Oid; readonly theirs: Oid; readonly newObjects: string },
): Promise<MergeResult> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const { output, exit } = await readGitEnd(shadowDir, args, { newObjects, okExits: [0, 1] });
  const [tree = '', ...names] = output
    .toString('latin1')
    .split('\0')
    .filter((field) => field !== '');
  if (exit === 0) return { kind: 'clean', tree: parseOid(tree) };
  return { kind: 'conflict', files: [...new Set(names)].sort().map(bytePathFromLatin1) };
}
