import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { packOf } from '../git/bundle.ts';
import { importPack } from '../git/import-pack.ts';
import { listRefs } from '../git/refs.ts';
import { runGit } from '../git/run.ts';
import { KeyedMutex } from '../io/keyed-mutex.ts';
import { writeAtomic } from '../io/write-atomic.ts';
import type { OpenVault } from './open-vault.ts';

/**
 * Brings the copy of a project's refs and objects up to the server's record of them; durable when it resolves. Objects are
 * hashed on the way: a damaged or swapped one does not get in.
 * @throws DevLoopError vault_damaged where the repository lacks something that a ref needs
 */
export function syncMirror(vault: OpenVault): Promise<void> {
  return mirrors.run(vault.state, async () => {
    const mirror = mirrorOf(vault);
    makeMirror(mirror);
    const [have, wanted] = [listRefs(mirror, 'refs/'), vault.refs.all()];
    const known = new Set(have.values());
    const want = [...new Set(wanted.values())].filter((oid) => !known.has(oid));
    if (want.length > 0) await importPack(mirror, packOf(vault.shadow, { want, have: [...known], quick: true }));
    if (want.length > 0 || !sameRefs(have, wanted)) writeAtomic(join(mirror, 'packed-refs'), printRefs(wanted));
    if (packCount(mirror) > MOST_PACKS) await runGit(mirror, ['repack', '-a', '-d', '-q'], { timeout_ms: 600_000 });
  });
}

/** True where the mirror is there and holds every ref of the record. */
export function isMirrored(vault: OpenVault): boolean {
  return sameRefs(listRefs(mirrorOf(vault), 'refs/'), vault.refs.all());
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

const FILES: readonly (readonly [name: string, content: string])[] = [
  ['config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n'],
  // git takes a folder without it for no repository: it comes last.
  ['HEAD', 'ref: refs/heads/main\n'],
];

function makeMirror(mirror: string): void {
  for (const name of ['objects/pack', 'refs']) mkdirSync(join(mirror, name), { recursive: true });
  for (const [name, content] of FILES) {
    if (lstatSync(join(mirror, name), { throwIfNoEntry: false }) === undefined)
      writeAtomic(join(mirror, name), content);
  }
}

function sameRefs(a: ReadonlyMap<string, Oid>, b: ReadonlyMap<string, Oid>): boolean {
  return a.size === b.size && [...a].every(([ref, oid]) => b.get(ref) === oid);
}

/** In the form of git's packed-refs: sorted by name, without peeled values. */
function printRefs(refs: ReadonlyMap<string, Oid>): string {
  const lines = [...refs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([ref, oid]) => `${oid} ${ref}\n`);
  return `# pack-refs with: sorted \n${lines.join('')}`;
}

function packCount(mirror: string): number {
  return readdirSync(join(mirror, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
}
