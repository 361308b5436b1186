import { createHash, hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { hasCode } from '../io/io-error.ts';
import { writeFully } from '../io/write-atomic.ts';
import { ByteReader, ByteWriter } from './byte-buffer.ts';
import { decodeState, encodeState, type TreeState } from './state-format.ts';

const MAGIC = 'devloop tree state 2\n';
const SUM_BYTES = 20;

/** Reads a state file; undefined where there is none, and where it is damaged or of another version. */
export function readState(path: string): TreeState | undefined {
  try {
    const bytes = readFileSync(path);
    const body = bytes.subarray(0, -SUM_BYTES);
    const sum = bytes.subarray(-SUM_BYTES).toString('hex');
    if (!body.toString('latin1', 0, MAGIC.length).startsWith(MAGIC) || hash('sha1', body) !== sum) return undefined;
    return decodeState(new ByteReader(body.subarray(MAGIC.length)));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Replaces a state file. A reader sees the old or the new one; nothing is synced, since its loss costs time only. So
 * does a folder that is gone, full or read-only: then nothing is written.
 */
export function writeState(path: string, state: TreeState): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writePieces(temporary, state);
    renameSync(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO')) throw error;
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EROFS')) rmSync(temporary, { force: true });
  }
}

/** Writes a state and its checksum piece by piece; as a whole it may be large. */
function writePieces(path: string, state: TreeState): void {
  const sum = createHash('sha1');
  const fd = openSync(path, 'w');
  const put = (piece: Buffer): void => {
    sum.update(piece);
    writeFully(fd, piece);
  };
  try {
    put(Buffer.from(MAGIC, 'latin1'));
    const out = new ByteWriter(put);
    encodeState(out, state);
    out.end();
    writeFully(fd, sum.digest());
  } finally {
    closeSync(fd);
  }
}
