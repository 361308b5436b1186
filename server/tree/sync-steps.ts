import { closeSync, fstatSync } from 'node:fs';
import { type BytePath, baseName, parentPath } from '../domain/byte-path.ts';
import { allEnded } from '../io/all-ended.ts';
import { syncAndClose } from '../io/sync-soon.ts';
import { FolderCursor } from './open-folder.ts';

/** Files and folders that are made durable at a time. */
const BATCH = 32;

/** What steps have done that need not be on the disk yet. */
export interface Unsynced {
  /** Files that took their places before their bytes were there. */
  readonly files: readonly { readonly path: BytePath; readonly ino: number }[];
  /** Folders whose names, or modes, changed. */
  readonly folders: readonly BytePath[];
}

/** Makes what steps have done durable. */
export async function syncSteps(root: string, { files, folders }: Unsynced): Promise<void> {
  const cursor = new FolderCursor(root);
  try {
    await syncAll(files, ({ path, ino }) => openIfStill(cursor, path, ino));
    // Each has a descriptor of its own: the cursor closes those it leaves.
    await syncAll(folders, (path) => cursor.go(path)?.again());
  } finally {
    cursor.close();
  }
}

/** Undefined where somebody has put another file there since. */
function openIfStill(cursor: FolderCursor, path: BytePath, ino: number): number | undefined {
  const fd = cursor.go(parentPath(path))?.open(baseName(path));
  if (fd === undefined || fstatSync(fd).ino === ino) return fd;
  closeSync(fd);
  return undefined;
}

async function syncAll<Item>(items: readonly Item[], open: (item: Item) => number | undefined): Promise<void> {
  for (let i = 0; i < items.length; i += BATCH) {
    await allEnded(
      items.slice(i, i + BATCH).map(async (item) => {
        const fd = open(item);
        if (fd !== undefined) await syncAndClose(fd);
      }),
    );
  }
}
