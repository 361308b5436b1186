import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { syncFolder, writeAtomic } from '../io/write-atomic.ts';
import { ensureRealFolder, refuseFolder } from './real-folder.ts';

/** The files of a git dir of ours that must not change, by name. Nothing in them runs anything. */
export const PINNED_FILES: Readonly<Record<string, string>> = {
  HEAD: 'ref: refs/heads/main\n',
  config:
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = false\n' +
    '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n',
  // A person's own git shall see files as they are, whatever a .gitattributes in the tree says.
  'info/attributes': '* -text !eol -ident -filter !working-tree-encoding !diff !merge -export-ignore -export-subst\n',
};

const FOLDERS = ['objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'refs/tags', 'info'] as const;

/** Makes an empty repository with branch main, or what is missing of one; durable. @returns the names of the files it made or put right. */
export function makeRepository(gitDir: string): readonly string[] {
  const made = [gitDir, ...FOLDERS.map((name) => join(gitDir, name))].filter(ensureRealFolder);
  // HEAD comes last: git takes a folder without it for no repository.
  const wrong = Object.keys(PINNED_FILES)
    .filter((name) => !isPinned(gitDir, name))
    .reverse();
  for (const name of wrong) {
    refuseFolder(join(gitDir, name));
    writeAtomic(join(gitDir, name), PINNED_FILES[name] ?? '');
  }
  for (const folder of made) syncFolder(join(folder, '..'));
  return wrong;
}

function isPinned(gitDir: string, name: string): boolean {
  const path = join(gitDir, name);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  try {
    return readFileSync(path, 'latin1') === PINNED_FILES[name];
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
