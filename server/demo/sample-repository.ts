import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytePathFromText } from '../domain/byte-path.ts';
import { lockIndex } from '../git/index-file.ts';
import { encodeEntries, encodeIndex } from '../git/index-format.ts';
import { makeRepository } from '../git/new-repository.ts';
import { sampleCommit } from './sample-commit.ts';

/** Makes a git repository with one commit of one file, as a person may have it inside of a folder. */
export async function sampleRepository(
  folder: string,
  file: { readonly name: string; readonly text: string },
): Promise<void> {
  const gitDir = join(folder, '.git');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file.name), file.text);
  makeRepository(gitDir);
  const oid = await sampleCommit(gitDir, file);
  const entry = { path: bytePathFromText(file.name), mode: '100644' as const, oid };
  const bytes = encodeIndex({ chunks: [encodeEntries([entry], { uid: 0, gid: 0 })], count: 1 });
  (await lockIndex(gitDir, 1_000))?.replace(bytes);
}
