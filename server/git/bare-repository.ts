import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../domain/ids.ts';
import { makeFolders } from '../io/make-folders.ts';
import { writeAtomic } from '../io/write-atomic.ts';
import { runGit } from './run.ts';

/** Makes an empty bare repository with branch main, or what is missing of one. Nobody else may write there. */
export function makeBareRepository(gitDir: string): void {
  for (const name of ['objects/pack', 'refs']) makeFolders(join(gitDir, name));
  for (const [name, content] of FILES) {
    if (lstatSync(join(gitDir, name), { throwIfNoEntry: false }) === undefined)
      writeAtomic(join(gitDir, name), content);
  }
}

/** Makes these all the refs that a bare repository has, durably; it must have none that are loose. */
export function writePackedRefs(gitDir: string, refs: ReadonlyMap<string, Oid>): void {
  const lines = [...refs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([ref, oid]) => `${oid} ${ref}\n`);
  writeAtomic(join(gitDir, 'packed-refs'), Buffer.from(`# pack-refs with: sorted \n${lines.join('')}`, 'latin1'));
}

/** Makes one pack of all that the refs reach, where there are more packs than that; what no ref reaches is dropped. */
export async function joinPacks(gitDir: string, most: number): Promise<void> {
  const packs = readdirSync(join(gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'));
  if (packs.length > most) await runGit(gitDir, ['repack', '-a', '-d', '-q'], { timeout_ms: 600_000 });
}

const FILES: readonly (readonly [name: string, content: string])[] = [
  ['config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n'],
  // git takes a folder without it for no repository: it comes last.
  ['HEAD', 'ref: refs/heads/main\n'],
];
