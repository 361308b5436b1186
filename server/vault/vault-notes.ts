import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WriteAhead } from '../git/ahead/write-ahead.ts';

/** The notes by which a data folder's moves of refs are durable; their owners are {cid}/{pid}. */
export function vaultNotes(dataDir: string): WriteAhead {
  const state = join(dataDir, '.devloop');
  return new WriteAhead(join(state, 'ahead'), (owner) => existsSync(join(state, 'vaults', owner)));
}
