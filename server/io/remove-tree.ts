import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';

const AT_ONCE = 32;

/**
 * Deletes a folder with all below it, links as links, unwritable folders too. Each folder below is moved up first, beside
 * the one that is being emptied, so that no path grows longer than the system takes, however deep the tree is. A kill leaves
 * folders named `{path}.*`. Fails with ENOENT where there is nothing.
 */
export async function removeTree(path: string): Promise<void> {
  const heap = `${path}.${randomBytes(6).toString('hex')}`;
  const pending: string[] = [];
  const moveUp = async (from: string | Buffer): Promise<void> => {
    const to = `${heap}/${moved++}`;
    await rename(from, to);
    pending.push(to);
  };
  let moved = 0;
  await lstat(path);
  await mkdir(heap);
  await moveUp(path);
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    await emptyFolder(folder, moveUp);
    await rmdir(folder);
  }
  await rmdir(heap);
}

async function emptyFolder(folder: string, moveUp: (from: Buffer) => Promise<void>): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { encoding: 'latin1', withFileTypes: true });
  const remaining = entries.values();
  const remove = async (): Promise<void> => {
    for (const entry of remaining) {
      const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(entry.name, 'latin1')]);
      await (entry.isDirectory() ? moveUp(path) : unlink(path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, remove));
}
