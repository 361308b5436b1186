import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { NestedRepository } from '../../domain/point.ts';
import { importPack } from '../../git/import-pack.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { readBundle } from './bundle-head.ts';
import { stashesOf } from './stashes-of.ts';
import { writeGitDir } from './write-git-dir.ts';

interface Packed {
  /** What its point says of the repository. */
  readonly row: NestedRepository;
  /** The bundle. */
  readonly content: AsyncIterable<Uint8Array>;
  /** False where the folder around it is the work tree. */
  readonly bare: boolean;
}

/** Makes a git dir of a bundle. @returns how many refs the bundle has */
export async function unpackHistory(gitDir: string, { row, content, bare }: Packed): Promise<number> {
  makeFolders(join(gitDir, 'objects/pack'));
  const { refs, pack } = await readBundle(content);
  // git takes a folder for a repository only when it has HEAD and refs.
  writeGitDir(gitDir, { refs: new Map(), stashes: [], row, bare: true });
  await importPack(gitDir, Readable.from(pack), { whole: false });
  writeGitDir(gitDir, { refs, stashes: await stashesOf(gitDir, refs), row, bare });
  return refs.size;
}
