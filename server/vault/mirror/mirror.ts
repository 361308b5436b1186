import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { joinPacks, makeBareRepository, writePackedRefs } from '../../git/bare-repository.ts';
import { packOf } from '../../git/bundle.ts';
import { importPack } from '../../git/import-pack.ts';
import { listRefs } from '../../git/refs.ts';
import { KeyedMutex } from '../../io/keyed-mutex.ts';
import type { OpenVault } from '../open-vault.ts';
import { mirrorDir } from './mirror-dir.ts';

/**
 * Brings the copy of a project's refs and objects up to the server's record of them; durable when it resolves. Objects are
 * hashed on the way: a damaged or swapped one does not get in.
 * @throws DevLoopError vault_damaged where the repository lacks something that a ref needs
 */
export function syncMirror(vault: OpenVault): Promise<void> {
  return mirrors.run(vault.state, async () => {
    const mirror = mirrorDir(vault.state);
    makeBareRepository(mirror);
    // What is committed meanwhile must not be named before its objects are there.
    const [have, wanted] = [listRefs(mirror, 'refs/'), new Map(vault.refs.all())];
    const known = new Set(have.values());
    const want = [...new Set(wanted.values())].filter((oid) => !known.has(oid));
    if (want.length > 0) await importPack(mirror, packOf(vault.shadow, { want, have: [...known], quick: true }));
    if (want.length > 0 || !sameRefs(have, wanted)) writePackedRefs(mirror, wanted);
    await joinPacks(mirror, MOST_PACKS);
  });
}

/** True where the mirror is there and holds every ref of the record. */
export function isMirrored(vault: OpenVault): boolean {
  return sameRefs(listRefs(mirrorDir(vault.state), 'refs/'), vault.refs.all());
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
