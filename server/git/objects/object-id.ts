import { createHash, hash } from 'node:crypto';
import type { Oid } from '../../domain/ids.ts';

export type ObjectKind = 'blob' | 'tree' | 'commit' | 'tag';

/** The id of a tree without entries; git knows it without the object being there. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as Oid;

/** What is hashed in one go is put together here; larger content is cheaper in two pieces. */
const together = Buffer.allocUnsafeSlow(64 * 1024);

/** Computes an object's id: the sha1 of its header and content. */
export function hashObject(kind: ObjectKind, content: Uint8Array): Oid {
  const header = objectHeader(kind, content.length);
  const size = header.length + content.length;
  if (size <= together.length) {
    together.set(header);
    together.set(content, header.length);
    return hash('sha1', together.subarray(0, size)) as Oid;
  }
  return createHash('sha1').update(header).update(content).digest('hex') as Oid;
}

/** What stands before the content in a loose object and under the hash. */
export function objectHeader(kind: ObjectKind, length: number): Buffer {
  return Buffer.from(`${kind} ${length}\0`, 'latin1');
}
