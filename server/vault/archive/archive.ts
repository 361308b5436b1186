import { pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { DevLoopError } from '../../domain/errors.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { tarOfCommit } from '../../git/archive.ts';
import { mirrorObjects } from '../mirror/mirror-dir.ts';
import type { OpenVault } from '../open-vault.ts';
import { archivedFiles } from './archived-files.ts';
import { TarEntries } from './tar-entries.ts';
import { verifiedTar } from './verified-tar.ts';
import { zipOfTar } from './zip-of-tar.ts';

export interface ArchiveOptions {
  readonly format: 'zip' | 'tar' | 'tar.gz';
  /** One leading folder for every entry. */
  readonly prefix?: string;
  readonly signal?: AbortSignal;
}

/**
 * Streams the tracked files of a revision, byte for byte, with the commit's time as theirs; the same revision gives the same bytes.
 * What the mirror holds is taken from there: it was hashed, and damage to the project's own copy is not met on the way. The stream ends well only where all was sent and is what the commit says; destroying it ends git.
 * @throws DevLoopError ref_invalid, ref_not_found, path_refused (the prefix), vault_damaged
 */
export async function archive(
  vault: OpenVault,
  rev: string,
  { format, prefix, signal }: ArchiveOptions,
): Promise<Readable> {
  const folder = prefix === undefined ? '' : parsePrefix(prefix);
  const { commit, time, files } = await archivedFiles(vault, rev);
  const entries = new TarEntries(files, vault.reader);
  const copies = mirrorObjects(vault.state);
  const tar = tarOfCommit(vault.shadow, commit, withoutUndefined({ prefix: folder || undefined, copies, signal }));
  if (format === 'zip') return zipOfTar(tar, { entries, time, prefix: folder });
  const verified = pipeline(tar, verifiedTar(entries), ignore);
  return format === 'tar' ? verified : pipeline(verified, createGzip(), ignore);
}

/** The failure of a part destroys the last one, and so reaches whoever reads it. */
const ignore = (): void => {};

function parsePrefix(prefix: string): string {
  const folder = prefix.replace(/\/$/, '');
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(folder)) return `${folder}/`;
  throw new DevLoopError('path_refused', `${JSON.stringify(prefix)} cannot be the folder of an archive`, {
    data: { prefix },
  });
}
