import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommitSpec } from '../../../server/domain/commit.ts';
import { parseUnitId } from '../../../server/domain/ids.ts';
import { DEVLOOP } from '../../../server/domain/roles.ts';
import { commit } from '../../../server/vault/commit.ts';
import { init } from '../../../server/vault/init.ts';
import { syncMirror } from '../../../server/vault/mirror/mirror.ts';
import { placeOf } from '../../../server/vault/project-scan.ts';
import { saveAttempt } from '../../../server/vault/save-attempt.ts';
import { vaultNotes } from '../../../server/vault/vault-notes.ts';
import { VaultSet } from '../../../server/vault/vault-set.ts';
import { forgetEnd } from '../../support/forget-end.ts';
import { COMPANY, PROJECT } from '../../support/project-folders.ts';
import { rawGit } from '../../support/raw-git.ts';

const settings = { max_file_bytes: 1_000_000, now: () => new Date('2026-01-02T03:04:05Z') };
export const placeIn = (folder: string) => placeOf(folder, COMPANY, PROJECT);
export const vaultsIn = (folder: string) =>
  new VaultSet({ locate: async () => placeIn(folder), settings, ahead: vaultNotes(folder) });

/** Closes them once all is on the disk where git has it. */
export async function closeVaults(vaults: VaultSet): Promise<void> {
  await vaults.settled();
  vaults.close();
}

export const spec = (key: string, change: Partial<CommitSpec> = {}): CommitSpec => ({
  kind: 'code',
  subject: `subject of ${key}`,
  author: DEVLOOP,
  trailers: [{ key: 'DevLoop-Call', value: key }],
  files: ['**'],
  key,
  onEmpty: 'skip',
  ...change,
});

export const FIRST = spec('first');
export const SECOND = spec('second', { tag: { name: 'prd-rev-1', message: 'm' } });
const UNIT = parseUnitId('u');
export const ATTEMPT = { ...spec('attempt'), unit: UNIT, round: 1, attempt: 1, verdict: 'red' } as const;

export async function setupProject(folder: string): Promise<void> {
  writeFiles(folder, 'first', 8);
  const vaults = vaultsIn(folder);
  await vaults.write(PROJECT, (vault) => init(vault, FIRST));
  await closeVaults(vaults);
  writeFiles(folder, 'second', 5);
}

export function writeFiles(folder: string, text: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const path = join(placeIn(folder).root, `d${i % 3}`, `f${i}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text} ${i}\n`);
  }
}

/** A tag that has moved without its branch, a lock and an unfinished object: what the worst kill leaves. */
export async function setupKilled(folder: string): Promise<void> {
  await setupProject(folder);
  const { root } = placeIn(folder);
  const git = rawGit(root);
  const before = git('rev-parse', 'HEAD');
  const vaults = vaultsIn(folder);
  await vaults.write(PROJECT, (vault) => commit(vault, SECOND));
  await closeVaults(vaults);
  forgetEnd(placeIn(folder).state);
  git('update-ref', 'refs/heads/main', before);
  rmSync(join(root, '.git/index'));
  writeFileSync(join(root, '.git/refs/heads/main.lock'), '');
  writeFileSync(join(root, `.git/objects/pack/tmp_pack_devloop-${0x3ffffff}-${'ab'.repeat(6)}`), 'x');
}

/** A commit that was acknowledged by its note, of whose files a power cut has left no more than their names. */
export async function setupTorn(folder: string): Promise<void> {
  await setupProject(folder);
  const { root, state } = placeIn(folder);
  const record = readFileSync(join(state, 'refs.ndjson'));
  const packs = new Set(readdirSync(join(root, '.git/objects/pack')));
  const vaults = vaultsIn(folder);
  await vaults.write(PROJECT, (vault) => commit(vault, SECOND));
  const note = join(folder, '.devloop/ahead/0.bin');
  const noted = readFileSync(note);
  await closeVaults(vaults);
  writeFileSync(note, noted);
  writeFileSync(join(state, 'refs.ndjson'), record);
  for (const name of readdirSync(join(root, '.git/objects/pack'))) {
    if (!packs.has(name)) writeEmpty(join(root, '.git/objects/pack', name));
  }
  writeEmpty(join(root, '.git/refs/heads/main'));
}

/** The file keeps its length and has lost its content. */
function writeEmpty(path: string): void {
  const { size } = statSync(path);
  rmSync(path);
  writeFileSync(path, Buffer.alloc(size));
}

export async function setupCommitted(folder: string): Promise<void> {
  await setupProject(folder);
  const vaults = vaultsIn(folder);
  await vaults.write(PROJECT, (vault) => commit(vault, SECOND));
  await vaults.read(PROJECT, syncMirror);
  await closeVaults(vaults);
}

/** Three attempts that are older than has to be kept, one of them packed. */
export async function setupKept(folder: string): Promise<void> {
  await setupCommitted(folder);
  const vaults = new VaultSet({
    locate: async () => placeIn(folder),
    settings: { ...settings, now: () => new Date('2025-06-01T00:00:00Z') },
  });
  for (const attempt of [1, 2, 3]) {
    writeFiles(folder, `attempt ${attempt}`, 2);
    await vaults.write(PROJECT, (vault) => saveAttempt(vault, { ...ATTEMPT, attempt }));
    if (attempt === 1) rawGit(placeIn(folder).root)('pack-refs', '--all');
  }
  writeFiles(folder, 'second', 2);
  await closeVaults(vaults);
}

export async function setupByHand(folder: string): Promise<void> {
  await setupProject(folder);
  const git = rawGit(placeIn(folder).root);
  git('add', '-A');
  git('commit', '-q', '-m', 'by hand');
}

/** `.git` is gone, and the mirror has all. */
export async function setupLost(folder: string): Promise<void> {
  await setupCommitted(folder);
  rmSync(join(placeIn(folder).root, '.git'), { recursive: true });
}
