import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BytePath } from '../../domain/byte-path.ts';
import type { TreeEntry } from '../../domain/commit.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { archivedFiles } from '../archive/archived-files.ts';
import type { OpenVault } from '../open-vault.ts';

/** Writes the files of a revision into an empty folder that nobody else writes to. Throws vault_damaged for names that would lead out of it. */
export async function extractRevision(vault: OpenVault, rev: string, folder: string): Promise<void> {
  const { files } = await archivedFiles(vault, rev);
  const isLink = ({ kind }: TreeEntry): boolean => kind === 'link';
  // Links come last: nothing is written through one.
  for (const entry of [...files.filter((file) => !isLink(file)), ...files.filter(isLink)]) {
    const { content } = await vault.reader.read(entry.oid);
    const path = pathBelow(folder, entry.path);
    makeFolders(Buffer.from(dirname(path.toString('latin1')), 'latin1'));
    if (isLink(entry)) symlinkSync(content, path);
    else writeFileSync(path, content, { flag: 'wx', mode: entry.kind === 'executable' ? 0o777 : 0o666 });
  }
}

function pathBelow(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}
