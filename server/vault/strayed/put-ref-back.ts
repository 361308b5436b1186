import { type Oid, ZERO_OID } from '../../domain/ids.ts';
import { MAIN } from '../../domain/ref-names.ts';
import { updateRefs } from '../../git/ref-transaction.ts';
import { commitsBetween } from '../../git/rev-list.ts';
import { restoreObjects } from '../mirror/restore-objects.ts';
import type { LockedVault } from '../open-vault.ts';
import { keepForeign } from '../seal/keep-foreign.ts';
import { whereSound } from './import-commits.ts';
import type { StrayedRef } from './strayed-refs.ts';

/** Moves a ref back to where the server put it; what nothing else would hold is kept as a rescue. @returns what was done, in words */
export async function putRefBack(vault: LockedVault, { ref, recorded, now }: StrayedRef): Promise<string> {
  vault.objects.refresh();
  if (!vault.objects.has(recorded)) await restoreObjects(vault);
  const kept = now === undefined || (await isHeld(vault, now)) ? undefined : await keepForeign(vault, { tip: now });
  await updateRefs({ gitDir: vault.gitDir, updates: [{ ref, old: now ?? ZERO_OID, new: recorded }] });
  if (now === undefined) return `put ${ref} back, which somebody had deleted`;
  return `put ${ref} back, which somebody had moved to ${now}${kept === undefined ? '' : `: that is kept as the rescue ${kept}`}`;
}

/** True where the refs of the record hold a commit already. */
async function isHeld(vault: LockedVault, oid: Oid): Promise<boolean> {
  if ([...vault.refs.all().values()].includes(oid)) return true;
  const main = vault.refs.get(MAIN);
  if (main === undefined) return false;
  const between = await whereSound(() => commitsBetween(vault.shadow, { good: oid, bad: main }));
  return between?.kind === 'between';
}
