import { DevLoopError } from '../../domain/errors.ts';
import { type Oid, ZERO_OID } from '../../domain/ids.ts';
import { MAIN } from '../../domain/ref-names.ts';
import { updateRefs } from '../../git/ref-transaction.ts';
import { commitsBetween } from '../../git/rev-list.ts';
import { restoreObjects } from '../mirror/restore-objects.ts';
import type { LockedVault } from '../open-vault.ts';
import { keepForeign } from '../seal/keep-foreign.ts';
import { whereSound } from './import-commits.ts';
import type { StrayedRef } from './strayed-refs.ts';

/**
 * Moves a ref back to where the server put it; what nothing else would hold is kept as a rescue.
 * @returns what was done, in words. Throws `vault_damaged` where that is there and cannot be kept: somebody must decide
 */
export async function putRefBack(vault: LockedVault, { ref, recorded, now }: StrayedRef): Promise<string> {
  vault.objects.refresh();
  if (!vault.objects.has(recorded)) await restoreObjects(vault);
  const kept = now === undefined || (await isHeld(vault, now)) ? undefined : await keep(vault, { ref, recorded, now });
  await updateRefs({ gitDir: vault.gitDir, updates: [{ ref, old: now ?? ZERO_OID, new: recorded }] });
  if (now === undefined) return `put ${ref} back, which somebody had deleted`;
  return `put ${ref} back, which somebody had moved to ${now}${kept === undefined ? '' : `: that is kept as the rescue ${kept}`}`;
}

/** Undefined where there is nothing to keep: the ref names an object that is not there. */
async function keep(vault: LockedVault, { ref, recorded, now }: StrayedRef & { readonly now: Oid }) {
  const kept = await keepForeign(vault, { tip: now });
  if (kept !== undefined || !vault.objects.has(now)) return kept;
  throw new DevLoopError(
    'vault_damaged',
    `somebody has moved ${ref} to ${now}, which lacks objects or has damaged ones`,
    {
      data: { ref, recorded, now },
      hint: `Bring its objects back, or give it up: git update-ref ${ref} ${recorded}`,
    },
  );
}

/** True where the refs of the record hold a commit already. */
async function isHeld(vault: LockedVault, oid: Oid): Promise<boolean> {
  if ([...vault.refs.all().values()].includes(oid)) return true;
  const main = vault.refs.get(MAIN);
  if (main === undefined) return false;
  const between = await whereSound(() => commitsBetween(vault.shadow, { good: oid, bad: main }));
  return between?.kind === 'between';
}
