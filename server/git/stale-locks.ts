import { lstatSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../io/io-error.ts';

/** Between closing a lock and renaming it a living git has no descriptor that would show it; ms. */
const GRACE_MS = 1000;
const REFS_DEPTH = 8;

/**
 * Removes the lock files that killed processes have left in a git dir, and returns their names below it. One that is
 * younger than a second is waited for; one that a living process has open stays.
 */
export async function removeStaleLocks(gitDir: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of lockNames(gitDir)) {
    if (await removeAbandoned(join(gitDir, name))) removed.push(name);
  }
  return removed;
}

/** Removes the files that killed gits have left among the packs, and returns how many; as careful as with locks. */
export async function removeStalePacks(objectsDir: string): Promise<number> {
  const folder = join(objectsDir, 'pack');
  const names = entriesOf(folder).flatMap(({ name }) => (UNFINISHED.test(name) ? [name] : []));
  let removed = 0;
  for (const name of names) if (await removeAbandoned(join(folder, name))) removed++;
  return removed;
}

/** Names of mkstemp as git's pack-objects and index-pack choose them. */
const UNFINISHED = /^tmp_(?:pack|idx|rev|mtimes)_[A-Za-z0-9]{6}$/;

async function removeAbandoned(path: string): Promise<boolean> {
  const age = await ageWhenSettled(path);
  if (age === undefined || isOpenSomewhere(path)) return false;
  rmSync(path, { force: true });
  return true;
}

function lockNames(gitDir: string): string[] {
  const top = entriesOf(gitDir).flatMap((entry) => (entry.name.endsWith('.lock') ? [entry.name] : []));
  return [...top, ...locksBelow(gitDir, 'refs', REFS_DEPTH)];
}

function locksBelow(gitDir: string, folder: string, depth: number): string[] {
  return entriesOf(join(gitDir, folder)).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return depth > 0 ? locksBelow(gitDir, name, depth - 1) : [];
    return entry.name.endsWith('.lock') ? [name] : [];
  });
}

async function ageWhenSettled(path: string): Promise<number | undefined> {
  for (;;) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return undefined;
    const age = Date.now() - stats.mtimeMs;
    // A clock that was set back makes files from the future.
    if (age >= GRACE_MS || age < 0) return age;
    await delay(GRACE_MS - age);
  }
}

/** False as well where the system does not show it (no /proc): the grace time must do then. */
function isOpenSomewhere(path: string): boolean {
  return entriesOf('/proc')
    .filter((entry) => /^\d+$/.test(entry.name))
    .some(({ name }) => entriesOf(`/proc/${name}/fd`).some((fd) => targetOf(`/proc/${name}/fd/${fd.name}`) === path));
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch (error) {
    if (hasCode(error, ...GONE)) return undefined;
    throw error;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, ...GONE)) return [];
    throw error;
  }
}

/** Processes and files come and go while one looks, and those of other users are not shown. */
const GONE = ['ENOENT', 'ENOTDIR', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL'] as const;
