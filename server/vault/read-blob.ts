import { DevLoopError } from '../domain/errors.ts';
import type { TreeFile } from '../domain/file-tree.ts';
import type { OpenVault } from './open-vault.ts';

/** Bytes of one file that are held in memory. */
const MOST_BYTES = 2 ** 31 - 1;

/** Reads a file's content from the repository. */
export async function readBlob({ reader }: OpenVault, { name, oid }: TreeFile): Promise<Uint8Array> {
  if (oid === undefined) throw new DevLoopError('internal', `the content of ${JSON.stringify(name)} was not read`);
  return (await reader.read(oid, MOST_BYTES)).content;
}
