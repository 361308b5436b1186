import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import type { Oid } from '../../domain/ids.ts';
import type { ObjectKind } from './object-id.ts';

/** An object that the store does not have yet. */
export interface NewObject {
  readonly oid: Oid;
  readonly kind: ObjectKind;
  readonly content: Uint8Array;
}

/** From this size on, compressing is worth a trip off the main thread; bytes. */
export const LARGE_BYTES = 256 * 1024;

const FAST = { level: 1 } as const;

export const deflateNow = (content: Uint8Array): Buffer => deflateSync(content, FAST);

const deflateAsync = promisify<Uint8Array, typeof FAST, Buffer>(deflate);

/** Compresses off the main thread. */
export const deflateSoon = (content: Uint8Array): Promise<Buffer> => deflateAsync(content, FAST);
