import type { BytePath } from '../domain/byte-path.ts';
import { entryAt, type TreeFolder } from '../domain/file-tree.ts';
import { LEDGERS } from './ledger-growth.ts';
import { NOT_ASKED } from './write-files.ts';

type Keep = (path: BytePath) => string | undefined;

/** Keeps a write-back from ledgers that are there: none is ever shortened. */
export function keepLedgers(disk: TreeFolder, keep: Keep): Keep {
  return (path) => (LEDGERS.has(path) && entryAt(disk, path) !== undefined ? NOT_ASKED : keep(path));
}
