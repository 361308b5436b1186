import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { ArchiveManifest } from '../../domain/archive-manifest.ts';
import type { Oid } from '../../domain/ids.ts';
import type { OpenVault } from '../open-vault.ts';
import { archivedFiles } from './archived-files.ts';

/** Hashes every tracked file of a revision. */
export async function archiveManifest(vault: OpenVault, rev: string, signal?: AbortSignal): Promise<ArchiveManifest> {
  const { commit, tree, files } = await archivedFiles(vault, rev);
  const hashed: ArchiveManifest['files'][number][] = [];
  for (const { path, kind, oid } of files) hashed.push({ path, kind, ...(await hashBlob(vault, oid, signal)) });
  return { commit, tree, files: hashed };
}

async function hashBlob(
  vault: OpenVault,
  oid: Oid,
  signal?: AbortSignal,
): Promise<{ readonly size: number; readonly sha256: string }> {
  signal?.throwIfAborted();
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(await vault.reader.stream(oid, signal), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
  });
  return { size, sha256: hash.digest('hex') };
}
