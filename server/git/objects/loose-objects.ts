import { join } from 'node:path';
import { allEnded } from '../../io/all-ended.ts';
import { type SyncNames, syncFolderSoon } from '../../io/sync-soon.ts';
import type { PendingFile } from '../pending-file.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { deflateNow, deflateSoon, LARGE_BYTES, type NewObject } from './deflate.ts';
import { objectHeader } from './object-id.ts';
import { openTempFile } from './temp-files.ts';

/** Objects that are on the disk and have no names yet. */
export interface LooseObjects {
  /** Gives them their names at once, and throws where it cannot. */
  publish(): SyncNames;
  /** Gives up those without a name. */
  drop(): void;
}

/** Writes each object into a file of its own, all at once. */
export async function writeLooseObjects(
  objectsDir: string,
  { objects, durable }: { readonly objects: readonly NewObject[]; readonly durable: boolean },
): Promise<LooseObjects> {
  const files: NewFile[] = [];
  const drop = (): void => {
    for (const { temp } of files) temp.drop();
  };
  try {
    for (const object of objects) {
      const bytes = await compress(object);
      const temp = openTempFile(objectsDir, 'object');
      files.push({ oid: object.oid, temp });
      temp.write(bytes);
    }
    await allEnded(files.map(async ({ temp }) => (durable ? temp.sync() : temp.close())));
  } catch (error) {
    drop();
    throw error;
  }
  return {
    publish() {
      const folders = publish(objectsDir, files);
      return async () => {
        if (durable) await allEnded([...folders].map(syncFolderSoon));
      };
    },
    drop,
  };
}

interface NewFile {
  readonly oid: string;
  readonly temp: PendingFile;
}

async function compress({ kind, content }: NewObject): Promise<Buffer> {
  const bytes = Buffer.concat([objectHeader(kind, content.length), content]);
  return bytes.length < LARGE_BYTES ? deflateNow(bytes) : deflateSoon(bytes);
}

/** Returns the folders whose names were changed. */
function publish(objectsDir: string, files: readonly NewFile[]): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const { oid, temp } of files) {
    const folder = join(objectsDir, oid.slice(0, 2));
    if (ensureRealFolder(folder)) changed.add(objectsDir);
    temp.publish(join(folder, oid.slice(2)));
    changed.add(folder);
  }
  return changed;
}
