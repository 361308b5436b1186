import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../io/make-folders.ts';

/** Exit status of the refusing `git`: what a shell gives for a command that may not be run. */
const REFUSED_STATUS = 126;

const SCRIPT = `#!/bin/sh
echo "git is not available here: what you write is committed for you when your call is done" >&2
exit ${REFUSED_STATUS}
`;

/** Writes a `git` that refuses with a message into a folder, made where it is absent. @returns the program's path. */
export function writeGitShim(folder: string): string {
  const program = join(folder, 'git');
  makeFolders(folder);
  writeFileSync(program, SCRIPT);
  chmodSync(program, 0o755);
  return program;
}
