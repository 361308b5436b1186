import type { BytePath } from '../domain/byte-path.ts';
import type { TreeFile } from '../domain/file-tree.ts';
import type { TreeChange } from '../domain/tree-difference.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { hasCode } from '../io/io-error.ts';
import { readBelow } from '../io/safe-path.ts';
import type { OpenVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';

/** The files that are only ever appended to. */
export const LEDGERS: ReadonlySet<string> = new Set(['timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson']);

/** Bytes; a longer ledger counts as changed. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Lines that are appended between two commits are few; more of them are looked for in the repository. */
const MOST_LINES = 64;

/**
 * True for a ledger whose earlier lines are all still there, with or without new ones after them.
 * @param read reads the ledger as it was; asked only where a great many lines are new
 */
export async function onlyGrew(
  vault: OpenVault,
  { path, from, to }: TreeChange,
  read: (file: TreeFile) => Promise<Uint8Array> = (file) => readBlob(vault, file),
): Promise<boolean> {
  if (!LEDGERS.has(path) || to?.kind !== 'file') return false;
  if (from === undefined) return true;
  if (from.kind !== 'file' || from.oid === undefined) return false;
  const now = readLedger(vault, path);
  if (now === undefined) return false;
  if (beginsWithBlob(now, from.oid)) return true;
  const before = await read(from);
  return before.length <= now.length && Buffer.compare(before, now.subarray(0, before.length)) === 0;
}

function readLedger({ root }: OpenVault, path: BytePath): Buffer | undefined {
  try {
    return readBelow(root, path, MOST_BYTES);
  } catch (error) {
    if (hasCode(error, 'path_refused', 'too_large')) return undefined;
    throw error;
  }
}

/** Finds by hash alone whether the file began as the blob: one of its last line ends is where the blob ended. */
function beginsWithBlob(content: Buffer, oid: string): boolean {
  let end = content.length;
  for (let tries = 0; tries < MOST_LINES && end >= 0; tries++) {
    if (hashObject('blob', content.subarray(0, end)) === oid) return true;
    end = end === 0 ? -1 : content.lastIndexOf('\n', end - 2) + 1;
  }
  return false;
}
