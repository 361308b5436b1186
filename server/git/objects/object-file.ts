import { dirname, join } from 'node:path';
import { allEnded } from '../../io/all-ended.ts';
import { syncFolderSoon } from '../../io/sync-soon.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { openTempFile } from './temp-files.ts';

/** A file of an object store with its content: a pack, its index, or an object by itself. */
export interface ObjectFile {
  /** Below `objects`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A pack, its index, or an object by itself. */
export const OBJECT_FILE = /^(?:pack\/pack-[0-9a-f]{40}\.(?:pack|idx)|[0-9a-f]{2}\/[0-9a-f]{38})$/;

/** Writes these files anew, durably, whatever has their names: after a power cut that may be a name without its content. */
export async function rewriteObjectFiles(objectsDir: string, files: readonly ObjectFile[]): Promise<void> {
  const folders = new Set([objectsDir]);
  for (const { path, bytes } of files) {
    const target = join(objectsDir, path);
    ensureRealFolder(dirname(target));
    folders.add(dirname(target));
    const temp = openTempFile(objectsDir, 'object');
    try {
      temp.write(bytes);
      await temp.sync();
      temp.publish(target);
    } finally {
      temp.drop();
    }
  }
  await allEnded([...folders].map(syncFolderSoon));
}
