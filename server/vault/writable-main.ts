import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import { holdsText } from '../git/holds-text.ts';
import { readHead } from '../git/refs.ts';
import { type OpenVault, recordedHead } from './open-vault.ts';

/**
 * What main is, for a commit to be made on it. Where HEAD is elsewhere somebody has checked something else out, and the files
 * on the disk are not those that follow on main. Throws `vault_tampered`, `vault_damaged`.
 */
export function writableMain(vault: OpenVault): Oid {
  const { gitDir, pid } = vault;
  const main = recordedHead(vault);
  if (holdsText(gitDir, 'HEAD', `ref: ${MAIN}\n`)) return main;
  const head = readHead(gitDir);
  if (head.kind === 'branch' && head.ref === MAIN) return main;
  const at = head.kind === 'branch' ? head.ref : head.oid;
  throw new DevLoopError('vault_tampered', `HEAD of project ${pid} is at ${at}, not on main`, {
    data: { pid, head: at },
    hint: 'Check main out again, or restart the server: what only HEAD holds is kept as a rescue.',
  });
}
