import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';

/**
 * Makes, or puts right, the git dir that git reads a project through: HEAD, config, info and hooks are the server's own,
 * objects and refs lead into the project's `.git`. Nothing else of that folder is in git's reach. Cheap where all is as it should be.
 * @param gitDir absolute path of the project's `.git`
 * @param stateDir absolute path of the server's folder for this project
 * @returns absolute path of the shadow git dir
 */
export function ensureShadowDir({ gitDir, stateDir }: { readonly gitDir: string; readonly stateDir: string }): string {
  const shadow = resolve(stateDir, 'git');
  for (const folder of ['info', 'hooks']) makeFolders(join(shadow, folder));
  for (const [name, content] of Object.entries(FILES)) ensureFile(join(shadow, name), content);
  for (const name of LINKS) ensureLink(join(shadow, name), resolve(gitDir, name));
  removeStrangers(shadow);
  return shadow;
}

/**
 * Refuses object folders that borrow from elsewhere: git follows such a file without a way to say no.
 * Checked before each process start; one lstat a name.
 */
export function refuseAlternates(shadowDir: string): void {
  for (const name of ['alternates', 'http-alternates']) {
    const path = join(shadowDir, 'objects/info', name);
    if (!isThere(path)) continue;
    throw new DevLoopError(
      'vault_tampered',
      `the repository borrows objects from elsewhere through objects/info/${name}`,
      {
        data: { file: `objects/info/${name}` },
        hint: 'Copy the borrowed objects in (git repack -a -d) and remove the file.',
      },
    );
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (!hasCode(error, 'ENOTDIR', 'ELOOP')) throw error;
    throw new DevLoopError('vault_damaged', 'the repository has no folder of objects', { cause: error });
  }
}

/** Attributes of this file win over those of any tree: bytes pass through git as they are. */
const ATTRIBUTES =
  '* -text !eol -ident -filter !working-tree-encoding !diff !merge !whitespace !conflict-marker-size -export-ignore -export-subst !delta\n';

const FILES: Readonly<Record<string, string>> = {
  HEAD: 'ref: refs/heads/main\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n',
  'info/attributes': ATTRIBUTES,
};

const LINKS = ['objects', 'refs', 'packed-refs'] as const;

function ensureFile(path: string, content: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path, 'latin1') === content) return;
  const fresh = `${path}.new`;
  writeFileSync(fresh, content);
  renameSync(fresh, path);
}

function ensureLink(path: string, target: string): void {
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (now?.isSymbolicLink() && readlinkSync(path) === target) return;
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  if (now?.isDirectory()) rmSync(path, { recursive: true });
  renameSync(fresh, path);
}

/** The folder is out of the agents' reach; what git itself leaves there (a lock of a killed process, a graft list) would still count. */
function removeStrangers(shadow: string): void {
  for (const name of readdirSync(shadow))
    if (!KNOWN.has(name)) rmSync(join(shadow, name), { recursive: true, force: true });
  for (const name of readdirSync(join(shadow, 'info')))
    if (name !== 'attributes') rmSync(join(shadow, 'info', name), { recursive: true, force: true });
  for (const name of readdirSync(join(shadow, 'hooks')))
    rmSync(join(shadow, 'hooks', name), { recursive: true, force: true });
}

const KNOWN: ReadonlySet<string> = new Set(['HEAD', 'config', 'info', 'hooks', ...LINKS]);
