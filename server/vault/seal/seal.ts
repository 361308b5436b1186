import { lstatSync } from 'node:fs';
import { removeStaleLocks } from '../../git/stale-locks.ts';
import { syncMirror } from '../mirror/mirror.ts';
import type { LockedVault, OpenVault } from '../open-vault.ts';
import { findTampering, tamperingNames } from './find-tampering.ts';
import { stampGitDir } from './git-dir-stamps.ts';
import { openFolders } from './open-folders.ts';
import { putGitBack } from './put-git-back.ts';
import { isServers, reseal } from './reseal.ts';
import { copiesOf, refuseStrayedRefs, refuseTraps } from './seal-checks.ts';
import { hasSeal, readSeal, removeSeal, type Seal, writeSeal } from './seal-file.ts';

/**
 * Notes what `.git` is before an agent call, once everything in it is in the mirror. Where calls are running already, they share
 * one seal.
 * @throws DevLoopError vault_tampered where `.git` holds what must not be there, or a ref is not where the server put it
 */
export async function seal(vault: LockedVault): Promise<void> {
  if ((await holdSeal(vault)) !== undefined) return;
  const entries = stampGitDir(vault.gitDir);
  refuseTraps(entries);
  const ownRefs = refuseStrayedRefs(vault);
  await syncMirror(vault);
  sealed.add(vault.state);
  writeSeal(vault.state, { writing: false, entries, copies: copiesOf(vault, entries), ownRefs, found: [] });
}

/** @returns names of what was changed in `.git` since the last check, be it put back now or before; the seal stays. */
export async function checkSeal(vault: LockedVault): Promise<readonly string[]> {
  const held = await holdSeal(vault);
  if (held === undefined) return [];
  if (held.found.length > 0) writeSeal(vault.state, { ...held, found: [] });
  return held.found;
}

/** Ends the seal: no call is running any more, and the last one was checked. */
export function endSeal({ state }: LockedVault): void {
  removeSeal(state);
  sealed.delete(state);
}

/** Says whether calls are running, or were when another server was killed. */
export function isSealed({ state }: OpenVault): 'by this server' | 'by another server' | 'no' {
  if (!hasSeal(state)) return 'no';
  return sealed.has(state) ? 'by this server' : 'by another server';
}

/** The server's folders of the projects that this process has sealed. */
const sealed = new Set<string>();

/** Ends the seal of calls that were running when the server was killed. @returns as `checkSeal` */
export async function breakSeal(vault: LockedVault): Promise<readonly string[]> {
  if (readSeal(vault.state) === undefined) return [];
  // The locks of a killed server are its own.
  if (lstatSync(vault.gitDir, { throwIfNoEntry: false })?.isDirectory()) await removeStaleLocks(vault.gitDir);
  const held = await holdSeal(vault);
  endSeal(vault);
  return held?.found ?? [];
}

/** Does a write of the server's own: what somebody else changed before it is put back first, and the seal moves on with it. */
export async function writeUnderSeal<Result>(vault: LockedVault, work: () => Promise<Result>): Promise<Result> {
  const held = await holdSeal(vault);
  if (held === undefined) return work();
  writeSeal(vault.state, { ...held, writing: true });
  try {
    const result = await work();
    await syncMirror(vault);
    return result;
  } finally {
    writeSeal(vault.state, movedOn(vault, held));
  }
}

/** The seal as it is now: what was changed is put back and noted in it. */
export async function holdSeal(vault: LockedVault): Promise<Seal | undefined> {
  const kept = readSeal(vault.state);
  if (kept === undefined) return undefined;
  // A server that was killed while it wrote could not say what it had written.
  const held = kept.writing ? movedOn(vault, kept) : kept;
  const closed = openFolders(vault.gitDir, held);
  const refs = new Map([...held.ownRefs, ...vault.refs.all()]);
  const stamps = stampGitDir(vault.gitDir);
  if (stamps.has('index.lock')) await removeStaleLocks(vault.gitDir);
  const found = findTampering(vault.gitDir, { seal: held, now: stamps, refs });
  if (found.length === 0 && closed.length === 0) return held;
  const lost = await putGitBack(vault, { seal: held, found });
  const names = [...closed, ...tamperingNames(found), ...lost].filter((name) => !held.found.includes(name));
  const entries = reseal(vault.gitDir, { seal: held, found });
  const now = { ...held, entries, found: [...held.found, ...names].slice(0, MOST_NAMES) };
  writeSeal(vault.state, now);
  return now;
}

const MOST_NAMES = 200;

/** Only of what the server itself writes the new stamps are taken. */
function movedOn(vault: LockedVault, held: Seal): Seal {
  const now = stampGitDir(vault.gitDir);
  const entries = new Map([...held.entries].filter(([path]) => !isServers(path)));
  for (const [path, stamp] of now) if (isServers(path)) entries.set(path, stamp);
  return {
    ...held,
    writing: false,
    entries,
    copies: new Map([...held.copies, ...copiesOf(vault, new Map([...now].filter(([path]) => path === 'packed-refs')))]),
  };
}
