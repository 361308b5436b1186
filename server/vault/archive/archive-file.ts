import { randomBytes } from 'node:crypto';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../io/write-atomic.ts';
import type { OpenVault } from '../open-vault.ts';
import { type ArchiveOptions, archive } from './archive.ts';

/** Writes an archive to a file, which appears whole and on the disk or not at all. The folder must exist. */
export async function archiveToFile(
  vault: OpenVault,
  rev: string,
  { path, ...options }: ArchiveOptions & { readonly path: string },
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await pipeline(await archive(vault, rev, options), createWriteStream(temporary, { flags: 'wx', flush: true }));
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}
