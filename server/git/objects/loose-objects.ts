import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolderSoon } from '../../io/sync-soon.ts';
import { writeFully } from '../../io/write-atomic.ts';
import { deflateNow, deflateSoon, LARGE_BYTES, type NewObject } from './deflate.ts';
import { objectHeader } from './object-id.ts';
import { TempFile } from './temp-files.ts';

/** Writes each object into a file of its own, all at once: none has its name before all are on the disk. */
export async function writeLooseObjects(
  objectsDir: string,
  { objects, durable }: { readonly objects: readonly NewObject[]; readonly durable: boolean },
): Promise<void> {
  const files: { readonly oid: string; readonly temp: TempFile }[] = [];
  try {
    for (const object of objects) {
      const bytes = await compress(object);
      const temp = new TempFile(objectsDir, 'object');
      files.push({ oid: object.oid, temp });
      writeFully(temp.fd, bytes);
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
  files: readonly { readonly oid: string; readonly temp: TempFile }[],
): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const { oid, temp } of files) {
    const folder = join(objectsDir, oid.slice(0, 2));
    if (mkdirSync(folder, { recursive: true }) !== undefined) changed.add(objectsDir);
    temp.publish(join(folder, oid.slice(2)));
    changed.add(folder);
  }
  return changed;
}
