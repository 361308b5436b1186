import { hash, randomBytes } from 'node:crypto';
import { constants, linkSync, lstatSync, readFileSync, readlinkSync, rmSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasCode, IoError } from './io-error.ts';
import { processLives, processStartTime } from './process-table.ts';
import { writeAtomic, writeNew } from './write-atomic.ts';

export interface OwnerLock {
  /** Gives the lock up, if it is still ours; where the system refuses that now, such as without a descriptor, at a later beat. */
  release(): void;
}

/** What the lock's file says of its owner. */
interface Owner {
  readonly pid: number;
  readonly start_time: string | undefined;
  readonly host: string;
  /** Names the table that the pid is looked up in: this boot's, in this container. */
  readonly space: string;
  readonly since: string;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const BEAT_MS = 2000;
/** No owner lives through a power cut. */
const NOT_KEPT = { durable: false } as const;
/** An owner that cannot be looked up counts as dead when it has been silent for so long. */
const SILENCE_MS = 15_000;

/**
 * Takes the lock at a path for this process, also from an owner that is dead, and shows life by the file's mtime every 2 s.
 * `onLost` is called once where the file is found gone or replaced (whoever did so believes that this process is dead), or
 * with the error where life cannot be shown any more.
 * @throws IoError owned, with the owner's pid, host and since.
 */
export function takeOwnerLock(path: string, options: { readonly onLost: (cause?: unknown) => void }): OwnerLock {
  const own = JSON.stringify(thisOwner());
  claim(path, own);
  let isReleased = false;
  const release = (): void => {
    isReleased = true;
    if (giveUp(path, own)) clearInterval(beat);
  };
  const beat = setInterval(() => {
    if (isReleased) return release();
    const loss = showLife(path, own);
    if (loss === undefined) return;
    clearInterval(beat);
    options.onLost(loss.cause);
  }, BEAT_MS);
  beat.unref();
  return { release };
}

/** False where the system refuses it. */
function giveUp(path: string, own: string): boolean {
  try {
    if (read(path) === own) rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function showLife(path: string, own: string): { readonly cause?: unknown } | undefined {
  try {
    if (read(path) !== own) return {};
    utimesSync(path, new Date(), new Date());
    return undefined;
  } catch (cause) {
    return { cause };
  }
}

/** Whoever finds a dead owner must first claim a second lock, named after that owner's, so that only one replaces it. */
function claim(path: string, own: string): void {
  while (!linkNew(path, own)) {
    const found = read(path);
    if (found === undefined) continue;
    refuseAlive(path, found);
    const succession = `${path}.${hash('sha256', found).slice(0, 12)}`;
    claim(succession, own);
    try {
      if (read(path) !== found) continue;
      writeAtomic(path, own, NOT_KEPT);
      return;
    } finally {
      rmSync(succession);
    }
  }
}

/** Makes a file that is whole when it appears; false where there is one. */
function linkNew(path: string, content: string): boolean {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeNew(temporary, content, NOT_KEPT);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function refuseAlive(path: string, text: string): void {
  const owner = parseOwner(text);
  const known = owner?.space === pidSpace() && owner.start_time !== undefined;
  if (known ? !processLives({ pid: owner.pid, start_time: owner.start_time }) : silence(path) > SILENCE_MS) return;
  const { pid, host, since } = owner ?? {};
  throw new IoError('owned', `${path} is held by process ${pid ?? 'unknown'} on ${host ?? 'an unknown host'}`, {
    pid,
    host,
    since,
  });
}

function parseOwner(text: string): (Partial<Owner> & { readonly pid: number }) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const hasPid = typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number';
    return hasPid ? (value as Partial<Owner> & { readonly pid: number }) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Milliseconds; a beat from the future is as little a sign of life as one from the past. */
function silence(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Math.abs(Date.now() - stat.mtimeMs);
}

/** It stays the same for as long as this process lives. */
let self: Omit<Owner, 'since'> | undefined;

function thisOwner(): Owner {
  const { pid } = process;
  self ??= { pid, start_time: processStartTime(pid), host: hostname(), space: pidSpace() };
  return { ...self, since: new Date().toISOString() };
}

function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'EPERM')) return hostname();
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: O_RDONLY | O_NOFOLLOW | O_NONBLOCK });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
