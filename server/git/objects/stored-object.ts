import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Oid } from '../../domain/ids.ts';
import { hasCode } from '../../io/io-error.ts';
import { hashObject, type ObjectKind } from './object-id.ts';
import type { ObjectStore } from './object-store.ts';
import { inflate, packedEntry, packedSize } from './packed-entry.ts';

/** An object's kind and content, which hashes to its id. */
export interface StoredObject {
  readonly kind: ObjectKind;
  readonly content: Buffer;
}

/** More is not read on the main thread; bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a small object without a process, where the store has it loose or whole in a pack. Undefined for all else, what is
 * damaged included: git tells more of that.
 */
export function storedObject(store: ObjectStore, oid: Oid): StoredObject | undefined {
  const { path, offset } = store.find(oid);
  const object = withFile(path, (fd) => (offset === undefined ? looseObject(fd) : packedEntry(fd, offset, MOST_BYTES)));
  if (object === undefined || hashObject(object.kind, object.content) !== oid) return undefined;
  return { kind: object.kind, content: object.content };
}

/** The kind and size of an object, as the store has it loose and small, or whole in a pack; its content is not looked at there. */
export function storedSize(
  store: ObjectStore,
  oid: Oid,
): { readonly kind: ObjectKind; readonly size: number } | undefined {
  const { path, offset } = store.find(oid);
  if (offset !== undefined) return withFile(path, (fd) => packedSize(fd, offset));
  const object = withFile(path, looseObject);
  return object && { kind: object.kind, size: object.content.length };
}

function withFile<Result>(path: string, read: (fd: number) => Result | undefined): Result | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO', 'EACCES')) return undefined;
    throw error;
  }
  try {
    return fstatSync(fd).isFile() ? read(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** A zlib stream of `kind size`, a NUL and the content. */
function looseObject(fd: number): StoredObject | undefined {
  if (fstatSync(fd).size > MOST_BYTES) return undefined;
  const bytes = inflate(readFileSync(fd), MOST_BYTES)?.content;
  const end = bytes?.indexOf(0) ?? -1;
  if (bytes === undefined || end < 0) return undefined;
  const [, kind] = /^(blob|tree|commit|tag) [0-9]+$/.exec(bytes.toString('latin1', 0, end)) ?? [];
  return kind === undefined ? undefined : { kind: kind as ObjectKind, content: bytes.subarray(end + 1) };
}
