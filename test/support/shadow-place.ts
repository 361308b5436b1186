import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Oid, parseOid } from '../../server/domain/ids.ts';
import { ensureShadowDir } from '../../server/git/shadow-dir.ts';
import { type RawGit, rawRepository } from './raw-git.ts';
import { scratchFolder } from './scratch-folder.ts';

/** An empty repository with a shadow git dir, and what tests do to it by git itself. */
export interface ShadowPlace {
  /** Absolute path of a folder for anything else. */
  readonly folder: string;
  readonly root: string;
  readonly gitDir: string;
  readonly shadow: string;
  readonly git: RawGit;
  /** Writes files (names are bytes: latin1), commits everything there is, and gives the commit's id. */
  readonly commit: (message: string, files?: Readonly<Record<string, string | Uint8Array>>) => Oid;
  readonly oid: (rev: string) => Oid;
}

export function shadowPlace(t: TestContext): ShadowPlace {
  const folder = scratchFolder(t);
  const root = join(folder, 'project');
  const git = rawRepository(root);
  const gitDir = join(root, '.git');
  const oid = (rev: string): Oid => parseOid(git('rev-parse', '--verify', rev));
  return {
    folder,
    root,
    gitDir,
    git,
    oid,
    shadow: ensureShadowDir({ gitDir, stateDir: join(folder, 'state') }),
    commit: (message, files = {}) => {
      for (const [name, content] of Object.entries(files)) writeBytesAt(root, name, content);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return oid('HEAD');
    },
  };
}

/** Writes a file whose path is given as bytes (latin1); parents are made. */
export function writeBytesAt(root: string, name: string, content: string | Uint8Array): void {
  const path = Buffer.from(`${Buffer.from(root).toString('latin1')}/${name}`, 'latin1');
  mkdirSync(Buffer.from(dirname(path.toString('latin1')), 'latin1'), { recursive: true });
  writeFileSync(path, content);
}
