import { dirname, join } from 'node:path';
import { allEnded } from '../../io/all-ended.ts';
import { type SyncNames, syncFolderSoon } from '../../io/sync-soon.ts';
import type { PendingFile } from '../pending-file.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { deflateNow, deflateSoon, LARGE_BYTES, type NewObject } from './deflate.ts';
import type { ObjectFile } from './object-file.ts';
import { objectHeader } from './object-id.ts';
import { openTempFile } from './temp-files.ts';

/** Objects that each become a file of their own. */
export interface LooseObjects {
  readonly files: readonly ObjectFile[];
  /** Writes the files; they have no names yet. */
  write(): void;
  /** Closes them, with their bytes on the disk where they are to be durable. */
  close(): Promise<void>;
  /** Gives them their names at once, and throws where it cannot. */
  publish(): SyncNames;
  /** Gives up those without a name. */
  drop(): void;
}

/** Compresses objects that are to be files. */
export async function looseObjects(
  objectsDir: string,
  { objects, durable }: { readonly objects: readonly NewObject[]; readonly durable: boolean },
): Promise<LooseObjects> {
  const files: ObjectFile[] = [];
  for (const object of objects) {
    files.push({ path: `${object.oid.slice(0, 2)}/${object.oid.slice(2)}`, bytes: await compress(object) });
  }
  const written: WrittenFile[] = [];
  return {
    files,
    write() {
      for (const { path, bytes } of files) {
        const temp = openTempFile(objectsDir, 'object');
        written.push({ path, temp });
        temp.write(bytes);
      }
    },
    async close() {
      await allEnded(written.map(async ({ temp }) => (durable ? temp.sync() : temp.close())));
    },
    publish() {
      const folders = publish(objectsDir, written);
      return async () => {
        if (durable) await allEnded([...folders].map(syncFolderSoon));
      };
    },
    drop() {
      for (const { temp } of written) temp.drop();
    },
  };
}

interface WrittenFile {
  readonly path: string;
  readonly temp: PendingFile;
}

async function compress({ kind, content }: NewObject): Promise<Buffer> {
  const bytes = Buffer.concat([objectHeader(kind, content.length), content]);
  return bytes.length < LARGE_BYTES ? deflateNow(bytes) : deflateSoon(bytes);
}

/** Returns the folders whose names were changed. */
function publish(objectsDir: string, files: readonly WrittenFile[]): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const { path, temp } of files) {
    const folder = join(objectsDir, dirname(path));
    if (ensureRealFolder(folder)) changed.add(objectsDir);
    temp.publish(join(objectsDir, path));
    changed.add(folder);
  }
  return changed;
}
