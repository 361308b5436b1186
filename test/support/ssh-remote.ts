import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { useSearchPath } from '../../server/git/environment.ts';
import { type RawGit, rawGit } from './raw-git.ts';
import { scratchFolder } from './scratch-folder.ts';

/** A repository on this machine that is reached through git's own ssh protocol, without a network. */
export interface SshRemote {
  readonly url: string;
  /** Absolute path. */
  readonly folder: string;
  readonly git: RawGit;
  /** What each ssh was called with, and the names in its environment. */
  readonly calls: () => readonly { readonly args: string; readonly env: string }[];
}

/** Makes a bare repository, and puts an ssh in the way that runs there what it is asked to. */
export function sshRemote(t: TestContext): SshRemote {
  const place = scratchFolder(t);
  const folder = join(place, 'todo.git');
  rawGit(place)('init', '-q', '--bare', folder);
  const bin = join(place, 'bin');
  mkdirSync(bin);
  const log = join(place, 'calls');
  // The command for the other side is the last argument; a login shell takes it there.
  const ssh = `#!/bin/sh
printf '%s\\t%s\\n' "$*" "$(env | cut -d= -f1 | sort | tr '\\n' ' ')" >> '${log}'
for last; do :; done
cd '${place}' && exec env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent sh -c "$last"
`;
  writeFileSync(join(bin, 'ssh'), ssh);
  chmodSync(join(bin, 'ssh'), 0o755);
  const path = '/usr/local/bin:/usr/bin:/bin';
  useSearchPath(`${bin}:${path}`);
  t.after(() => useSearchPath(path));
  return {
    url: `ssh://git@forge.example${folder}`,
    folder,
    git: rawGit(folder),
    calls: () =>
      (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []).filter(Boolean).map((line) => {
        const [args = '', env = ''] = line.split('\t');
        return { args, env };
      }),
  };
}
