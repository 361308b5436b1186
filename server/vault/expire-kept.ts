import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { ATTEMPTS, RESCUES } from '../domain/ref-names.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import { readCommit, timeOf } from './commit-info.ts';
import { moveRefs } from './move-refs.ts';
import type { LockedVault, OpenVault } from './open-vault.ts';

/** How long rescues and attempts are kept once their project has ended; ms. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** More wait for the next time. */
const MOST_AT_ONCE = 500;

/**
 * Takes rescues and attempts off the list that are as old as they have to be, and whose project has ended as long ago. Their refs
 * go, their objects stay: who knows a commit's id has it still, and a clock that was wrong costs nothing.
 * @param ended when the project came to an end that nothing follows
 * @returns their names: `rescue/{id}`, `attempts/{unit}/{round}/{attempt}`
 */
export async function expireKept(vault: LockedVault, ended: Date): Promise<readonly string[]> {
  const before = vault.settings.now().getTime() - KEPT_MS;
  if (!(ended.getTime() <= before)) return [];
  const kept = [...vault.refs.all()].filter(([ref]) => ref.startsWith(RESCUES) || ref.startsWith(ATTEMPTS));
  const updates: RefUpdate[] = [];
  for (const [ref, old] of kept) {
    if (updates.length === MOST_AT_ONCE) break;
    if ((await madeAt(vault, old)) <= before) updates.push({ ref, old, new: ZERO_OID });
  }
  if (updates.length > 0) await moveRefs(vault, { updates });
  return updates.map(({ ref }) => ref.slice('refs/devloop/'.length));
}

/** When a commit was made; ms. */
async function madeAt(vault: OpenVault, sha: Oid): Promise<number> {
  return Date.parse(timeOf((await readCommit(vault, sha)).committer));
}
