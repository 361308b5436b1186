import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { sweepTempFiles } from '../git/objects/temp-files.ts';
import { runGit } from '../git/run.ts';
import { collectObjects, type ObjectGarbage } from './collect-objects.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { dropPointNote } from './point-note.ts';
import type { Locked } from './workspace-lock.ts';

export interface Freed {
  /** Of the whole store. */
  readonly bytes_before: number;
  readonly bytes_after: number;
  /** Where the large files are in a bucket. */
  readonly bucket?: ObjectGarbage;
}

/**
 * Frees what no point needs any more. The lock is held, so that nothing is on its way into the store: everything
 * that no ref reaches is garbage.
 * @param dropped large files, by sha256, that go at once where no point needs them, also from a bucket
 * @throws DevLoopError disk_full where there is no room for the new pack
 */
export async function collectGarbage(
  workspace: Locked<OpenWorkspace>,
  dropped: ReadonlySet<string> = new Set(),
): Promise<Freed> {
  const bytes_before = storeBytes(workspace);
  refuseFullDisk(workspace);
  sweepTempFiles(join(workspace.repository, 'objects'));
  sweepWatchFolders(workspace.store);
  dropPointNote(workspace.store);
  const bucket = await collectObjects(workspace, dropped);
  workspace.reader.close();
  const options = { timeout_ms: 3_600_000 };
  await runGit(workspace.repository, ['repack', '-a', '-d', '-q', '--no-write-bitmap-index'], options);
  await runGit(workspace.repository, ['prune', '--expire=now'], options);
  workspace.objects.refresh();
  return { bytes_before, bytes_after: storeBytes(workspace), ...(bucket !== undefined && { bucket }) };
}

/** What killed processes have left; one that lives makes its folder again, and looks at everything once. */
function sweepWatchFolders(store: string): void {
  const names = readdirSync(store).filter((name) => /^watch-[0-9]+-[0-9]+$/.test(name));
  for (const name of names) rmSync(join(store, name), { recursive: true, force: true });
}

/** Bytes of all files of a store. */
export function storeBytes({ store }: OpenWorkspace): number {
  const sizes = readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The new pack is written beside the old ones. */
function refuseFullDisk({ repository }: OpenWorkspace): void {
  const { bavail, bsize } = statfsSync(repository);
  const packs = join(repository, 'objects/pack');
  const needed = readdirSync(packs).reduce((sum, name) => sum + statSync(join(packs, name)).size, 0);
  if (bavail * bsize > needed * 1.1) return;
  throw new DevLoopError('disk_full', 'there is no room to pack the history anew', {
    data: { free: bavail * bsize, needed },
    hint: 'Free some space first: nothing was changed.',
  });
}
