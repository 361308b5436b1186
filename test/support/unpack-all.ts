import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { rawGit } from './raw-git-latin1.ts';

/** Makes each object of a repository a file of its own. */
export function unpackAll(gitDir: string): void {
  const packs = join(gitDir, 'objects/pack');
  const away = join(gitDir, 'packs-away');
  renameSync(packs, away);
  for (const name of readdirSync(away)) {
    if (!name.endsWith('.pack')) continue;
    rawGit(gitDir, ['unpack-objects', '-q'], { input: readFileSync(join(away, name), 'latin1') });
  }
}
