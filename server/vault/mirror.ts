import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { joinPacks, makeBareRepository, writePackedRefs } from '../git/bare-repository.ts';
import { packOf } from '../git/bundle.ts';
import { importPack } from '../git/import-pack.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import { listRefs } from '../git/refs.ts';
import { KeyedMutex } from '../io/keyed-mutex.ts';
import type { OpenVault } from './open-vault.ts';

/**
 * Brings the copy of a project's refs and objects up to the server's record of them; durable when it resolves. Objects are
 * hashed on the way: a damaged or swapped one does not get in.
 * @throws DevLoopError vault_damaged where the repository lacks something that a ref needs
 */
export function syncMirror(vault: OpenVault): Promise<void> {
  return mirrors.run(vault.state, async () => {
    const mirror = mirrorOf(vault);
    makeBareRepository(mirror);
    const [have, wanted] = [listRefs(mirror, 'refs/'), vault.refs.all()];
    const known = new Set(have.values());
    const want = [...new Set(wanted.values())].filter((oid) => !known.has(oid));
    if (want.length > 0) await importPack(mirror, packOf(vault.shadow, { want, have: [...known], quick: true }));
    if (want.length > 0 || !sameRefs(have, wanted)) writePackedRefs(mirror, wanted);
    await joinPacks(mirror, MOST_PACKS);
  });
}

/** True where the mirror is there and holds every ref of the record. */
export function isMirrored(vault: OpenVault): boolean {
  return sameRefs(listRefs(mirrorOf(vault), 'refs/'), vault.refs.all());
}

/**
 * True where the mirror shows that a move came to pass: it follows the record only. Whatever somebody did to the refs since,
 * the move is not undone by it.
 */
export function isMirroredMove(
  vault: Pick<OpenVault, 'state'>,
  { updates }: { readonly updates: readonly RefUpdate[] },
): boolean {
  const mirrored = listRefs(mirrorOf(vault), 'refs/');
  return updates.every((update) => (mirrored.get(update.ref) ?? ZERO_OID) === update.new);
}

/** Absolute path of the bare repository that a project's refs and objects are copied to. */
export function mirrorOf({ state }: Pick<OpenVault, 'state'>): string {
  return join(state, 'mirror.git');
}

const WAIT_MS = 600_000;
const MOST_PACKS = 40;

const mirrors = new KeyedMutex({
  timeout_ms: WAIT_MS,
  onTimeout: (state) =>
    new DevLoopError('vault_busy', `the mirror in ${state} has been busy for ${WAIT_MS / 1000} seconds`),
});

function sameRefs(a: ReadonlyMap<string, Oid>, b: ReadonlyMap<string, Oid>): boolean {
  return a.size === b.size && [...a].every(([ref, oid]) => b.get(ref) === oid);
}
