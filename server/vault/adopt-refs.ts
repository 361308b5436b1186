import { DevLoopError } from '../domain/errors.ts';
import { ZERO_OID } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import { listRefs } from '../git/refs.ts';
import type { LockedVault } from './open-vault.ts';

/** Takes the refs as they are, where the server has no record of them: a person brought the project in. */
export async function adoptRefs({ refs, gitDir, pid, settings }: LockedVault): Promise<readonly string[]> {
  if (refs.all().size > 0) return [];
  const found = listRefs(gitDir, 'refs/');
  if (!found.has(MAIN)) {
    throw new DevLoopError('vault_damaged', `project ${pid} has no commit on main`, { data: { pid } });
  }
  const updates = [...found].map(([ref, value]) => ({ ref, old: ZERO_OID, new: value }));
  await refs.begin({ updates, ts: settings.now().toISOString() });
  refs.confirm();
  refs.tell();
  return [`took over ${found.size} refs of a repository without a record`];
}
