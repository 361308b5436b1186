import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { hasCode } from '../../io/io-error.ts';
import { PackIndex } from './pack-index.ts';
import { packedEntry } from './packed-entry.ts';

interface OpenPack {
  readonly index: PackIndex;
  readonly fd: number;
}

/** Indexes of more bytes are not held in memory. */
const MOST_INDEX_BYTES = 32 * 1024 * 1024;
const MOST_PACKS = 20;

/**
 * Packs of repositories that belong to somebody else. They are only read, and nothing in them is believed: what they hold
 * compressed is taken where it is, byte for byte, the content that the caller has.
 */
export class ForeignPacks {
  readonly #packs: readonly OpenPack[];

  /** @param objectFolders absolute paths of folders `objects`; what of them cannot be read is passed over */
  constructor(objectFolders: readonly string[]) {
    const names = objectFolders.flatMap(indexesIn).slice(0, MOST_PACKS);
    this.#packs = names.flatMap((path) => openPack(path));
  }

  /** A blob's zlib stream; undefined where no pack holds the blob whole. */
  deflated(oid: Oid, content: Uint8Array): Buffer | undefined {
    const key = Buffer.from(oid, 'hex');
    for (const { index, fd } of this.#packs) {
      const offset = index.offsetOf(key);
      const entry = offset === undefined ? undefined : packedEntry(fd, offset, content.length);
      if (entry?.kind === 'blob' && entry.content.equals(content)) return entry.deflated;
    }
    return undefined;
  }

  close(): void {
    for (const { fd } of this.#packs) closeSync(fd);
  }
}

function indexesIn(objects: string): readonly string[] {
  const folder = join(objects, 'pack');
  try {
    return readdirSync(folder)
      .filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name))
      .map((name) => join(folder, name));
  } catch (error) {
    if (hasCode(error, ...ABSENT)) return [];
    throw error;
  }
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENXIO'] as const;

function openPack(path: string): readonly OpenPack[] {
  const index = openRegular(path);
  if (index === undefined) return [];
  try {
    if (fstatSync(index).size > MOST_INDEX_BYTES) return [];
    const parsed = new PackIndex(readFileSync(index), path);
    const fd = openRegular(path.replace(/idx$/, 'pack'));
    return fd === undefined ? [] : [{ index: parsed, fd }];
  } catch (error) {
    if (isDevLoopError(error, 'store_damaged')) return [];
    throw error;
  } finally {
    closeSync(index);
  }
}

/** No link is followed, and no pipe is waited for. */
function openRegular(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    return undefined;
  } catch (error) {
    if (hasCode(error, ...ABSENT)) return undefined;
    throw error;
  }
}
