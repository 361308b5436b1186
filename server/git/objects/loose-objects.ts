import { join } from 'node:path';
import { syncFolderSoon } from '../../io/sync-soon.ts';
import type { PendingFile } from '../pending-file.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { deflateNow, deflateSoon, LARGE_BYTES, type NewObject } from './deflate.ts';
import { objectHeader } from './object-id.ts';
import { openTempFile } from './temp-files.ts';

/** Writes each object into a file of its own, all at once: none has its name before all are on the disk. */
export async function writeLooseObjects(
  objectsDir: string,
  { objects, durable }: { readonly objects: readonly NewObject[]; readonly durable: boolean },
): Promise<void> {
  const files: { readonly oid: string; readonly temp: PendingFile }[] = [];
  try {
    for (const object of objects) {
      const bytes = await compress(object);
      const temp = openTempFile(objectsDir, 'object');
      files.push({ oid: object.oid, temp });
      temp.write(bytes);
    }
    await Promise.all(files.map(({ temp }) => (durable ? temp.sync() : temp.close())));
    const folders = publish(objectsDir, files);
    if (durable) await Promise.all([...folders].map(syncFolderSoon));
  } finally {
    for (const { temp } of files) temp.drop();
  }
}

async function compress({ kind, content }: NewObject): Promise<Buffer> {
  const bytes = Buffer.concat([objectHeader(kind, content.length), content]);
  return bytes.length < LARGE_BYTES ? deflateNow(bytes) : deflateSoon(bytes);
}

/** Returns the folders whose names were changed. */
function publish(
  objectsDir: string,
  files: readonly { readonly oid: string; readonly temp: PendingFile }[],
): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const { oid, temp } of files) {
    const folder = join(objectsDir, oid.slice(0, 2));
    if (ensureRealFolder(folder)) changed.add(objectsDir);
    temp.publish(join(folder, oid.slice(2)));
    changed.add(folder);
  }
  return changed;
}
