import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { ContentSide } from '../domain/comparison.ts';
import { type ContentKind, contentKind, HEAD_BYTES } from './content-kind.ts';

/** A content whole, or in pieces where it is large. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Bytes of a text, and of a document; of what has more only size and hash are taken. */
export const CONTENT_LIMITS = { text: 2 << 20, document: 128 << 20 } as const;

/** A content that was gone through once: where it is now, size, hash and kind. */
export interface TakenContent {
  readonly kind: ContentKind;
  readonly side: ContentSide;
  /** Of what is no document, in memory. */
  readonly bytes?: Uint8Array;
  /** True where a document was written to the file. */
  readonly kept: boolean;
}

/** Goes through a content once; a document is written to the file that is asked for then, anything else stays in memory, each up to its limit. */
export async function takeContent(content: Content, file: () => Promise<string>): Promise<TakenContent> {
  const hash = createHash('sha256');
  const held: Uint8Array[] = [];
  let size = 0;
  let kind: ContentKind | undefined;
  let handle: FileHandle | undefined;
  try {
    for await (const piece of content instanceof Uint8Array ? [content] : content) {
      hash.update(piece);
      size += piece.length;
      if (size <= CONTENT_LIMITS.text || kind === undefined) held.push(piece);
      else if (handle === undefined) held.length = 0;
      if (kind === undefined && size >= HEAD_BYTES) {
        kind = contentKind(Buffer.concat(held));
        if (isDocument(kind)) handle = await beginFile(file, held);
      } else if (handle !== undefined && size <= CONTENT_LIMITS.document) await handle.writeFile(piece);
    }
    kind ??= contentKind(Buffer.concat(held));
    if (isDocument(kind)) handle ??= await beginFile(file, held);
  } finally {
    await handle?.close();
  }
  const side = { size, sha256: hash.digest('hex') };
  if (handle !== undefined) return { kind, side, kept: size <= CONTENT_LIMITS.document };
  return { kind, side, kept: false, ...(size <= CONTENT_LIMITS.text && { bytes: Buffer.concat(held) }) };
}

const isDocument = (kind: ContentKind): boolean => kind === 'document' || kind === 'pdf' || kind === 'picture';

async function beginFile(file: () => Promise<string>, held: Uint8Array[]): Promise<FileHandle> {
  const handle = await open(await file(), 'wx', 0o600);
  try {
    for (const piece of held.splice(0)) await handle.writeFile(piece);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}
