import { MAIN } from '../../domain/ref-names.ts';
import type { LockedVault } from '../open-vault.ts';
import { putRefBack } from './put-ref-back.ts';
import { strayedRefs } from './strayed-refs.ts';
import { takeOver } from './take-over.ts';

/**
 * Settles refs that somebody else has moved while no agent call was running: what a person committed on top of main is taken
 * over, everything else goes back to where it was, and a commit that would be lost by it is kept as a rescue.
 * @returns what was done, in words. Throws `ref_moved` where they move on meanwhile, `vault_damaged` where one cannot be read
 */
export async function followRefs(vault: LockedVault): Promise<readonly string[]> {
  const done: string[] = [];
  for (const strayed of strayedRefs(vault)) {
    const count = strayed.ref === MAIN ? await takeOver(vault, strayed) : 0;
    done.push(count > 0 ? tookOver(count) : await putRefBack(vault, strayed));
  }
  return done;
}

const tookOver = (count: number): string =>
  `took over ${count} ${count === 1 ? 'commit' : 'commits'} that somebody made on main`;
