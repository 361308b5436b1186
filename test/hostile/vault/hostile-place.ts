import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseUnitId } from '../../../server/domain/ids.ts';
import { DEVLOOP } from '../../../server/domain/roles.ts';
import { openGitVault, vaultNotes } from '../../../server/vault/index.ts';
import { placeOf } from '../../../server/vault/project-scan.ts';
import { COMPANY, PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { type RawGit, rawGit } from '../../support/raw-git.ts';
import { writeBytesAt } from '../../support/shadow-place.ts';

/** A project of its own for one trap, with what the trap may use. Paths are absolute. */
export interface HostilePlace {
  /** Removed at the end. */
  readonly folder: string;
  readonly dataDir: string;
  readonly root: string;
  readonly gitDir: string;
  readonly state: string;
  /** A program that leaves a mark when it is run, and passes its input on. */
  readonly payload: string;
  /** Names of the programs that were run. */
  readonly marks: () => readonly string[];
  /** A folder outside of the project that nothing may change, and whether it is as it was. */
  readonly victim: string;
  readonly isVictimWhole: () => boolean;
  readonly git: RawGit;
  /** Ids by what they are. */
  readonly facts: HostileFacts;
}

export interface HostileFacts {
  readonly first: string;
  readonly head: string;
  readonly tree: string;
  readonly blob: string;
  readonly otherBlob: string;
  readonly tag: string;
}

/** The files of the project's main, by name. */
export const FILES: Readonly<Record<string, string>> = {
  'project.json': '{}\n',
  'timeline.ndjson': 'one\n',
  'units/a/code/x.txt': 'x $Id$ $Format:%H$\n',
  'units/a/code/run.sh': '#!/bin/sh\n',
  'units/a/tests/y.txt': 'y\n',
};

/** Makes the project that every trap gets a copy of: commits, a tag, an attempt, loose objects and a pack. */
export async function makeModel(): Promise<{ readonly folder: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devloop-hostile-')));
  const place = placeOf(join(folder, 'data'), COMPANY, PROJECT);
  const vault = openVaultAt(join(folder, 'data'));
  mkdirSync(place.root, { recursive: true });
  writeFileSync(join(place.root, '.gitignore'), 'ignored/\n');
  writeFileSync(join(place.root, 'project.json'), '{}\n');
  await vault.init(PROJECT, commitSpec({ kind: 'init', author: DEVLOOP, files: ['project.json', '.gitignore'] }));
  for (const [name, content] of Object.entries(FILES)) writeBytesAt(place.root, name, content);
  await vault.commit(PROJECT, commitSpec({ tag: { name: 'prd-rev-1', message: 'x' } }));
  writeBytesAt(place.root, 'units/a/code/x.txt', 'attempt\n');
  const attempt = { unit: parseUnitId('a'), round: 1, attempt: 1 };
  const { subject, author, trailers } = commitSpec();
  await vault.saveAttempt(PROJECT, { ...attempt, subject, author, trailers, files: ['units/a/**'], verdict: 'red' });
  writeBytesAt(place.root, 'units/a/code/x.txt', 'x $Id$ $Format:%H$\n');
  writeBytesAt(place.root, 'units/a/tests/y.txt', 'y2\n');
  await vault.commit(PROJECT, commitSpec());
  // As a server is a second after its last write: the mirror holds all.
  await vault.seal(PROJECT);
  await vault.dropBaseline(PROJECT);
  await vault.close();
  return { folder };
}

export function openVaultAt(dataDir: string) {
  const settings = { max_file_bytes: 1_000_000, now: () => new Date() };
  return openGitVault({ locate: async () => placeOf(dataDir, COMPANY, PROJECT), ahead: vaultNotes(dataDir), settings });
}

/** Copies the model. */
export function makePlace(model: string): HostilePlace & { readonly [Symbol.dispose]: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devloop-hostile-')));
  cpSync(join(model, 'data'), join(folder, 'data'), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  const { root, state } = placeOf(join(folder, 'data'), COMPANY, PROJECT);
  const [marker, payload, victim] = ['marker', 'payload', 'victim'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(payload, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`, { mode: 0o755 });
  mkdirSync(join(victim, 'below'), { recursive: true });
  writeFileSync(join(victim, 'file'), 'untouched');
  const git = rawGit(root);
  const oid = (rev: string): string => git('rev-parse', rev);
  return {
    folder,
    dataDir: join(folder, 'data'),
    root,
    gitDir: join(root, '.git'),
    state,
    payload,
    marks: () => linesOf(marker),
    victim,
    isVictimWhole: () =>
      readdirSync(victim, { recursive: true }).sort().join() === 'below,file' &&
      readFileSync(join(victim, 'file'), 'utf8') === 'untouched',
    git,
    facts: {
      first: oid('HEAD~2'),
      head: oid('HEAD'),
      tree: oid('HEAD^{tree}'),
      blob: oid('HEAD:units/a/code/x.txt'),
      otherBlob: oid('HEAD:units/a/code/run.sh'),
      tag: oid('prd-rev-1'),
    },
    // Of paths that are too long for Node.
    [Symbol.dispose]: () => void execFileSync('rm', ['-rf', folder]),
  };
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
