import type { Oid } from '../domain/ids.ts';
import type { DiskFile } from './disk-tree.ts';

/** Files on their way from one thread to another: as objects, each would come with all its strings of its own. */
export interface PackedFiles {
  /** Size, mtime, ctime, ino, mode, seen of each; the size is NaN for one that is not there. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** 20 bytes each. */
  readonly oids: Uint8Array<ArrayBuffer>;
}

const NUMBERS = 6;
const OID_BYTES = 20;

/** Packs files; their names and kinds are known where they go to. */
export function packFiles(files: readonly (DiskFile | undefined)[]): PackedFiles {
  const numbers = new Float64Array(files.length * NUMBERS);
  const oids = Buffer.alloc(files.length * OID_BYTES);
  for (const [i, file] of files.entries()) {
    const { size, mtime, ctime, ino, mode, seen, oid } = file ?? ABSENT;
    numbers.set([oid === undefined ? Number.NaN : size, mtime, ctime, ino, mode, seen], i * NUMBERS);
    oids.write(oid ?? '', i * OID_BYTES, 'hex');
  }
  return { numbers, oids };
}

const ABSENT = { size: 0, mtime: 0, ctime: 0, ino: 0, mode: 0, seen: 0, oid: undefined };

/** Takes out a file, which gets the name that it is known by. */
export function unpackFile({ numbers, oids }: PackedFiles, index: number, name: string): DiskFile | undefined {
  const at = index * NUMBERS;
  const number = (field: number): number => numbers[at + field] ?? Number.NaN;
  if (Number.isNaN(number(0))) return undefined;
  const bytes = Buffer.from(oids.buffer, oids.byteOffset + index * OID_BYTES, OID_BYTES);
  return {
    size: number(0),
    mtime: number(1),
    ctime: number(2),
    ino: number(3),
    mode: number(4),
    seen: number(5),
    kind: 'file',
    name,
    oid: bytes.toString('hex') as Oid,
  };
}
