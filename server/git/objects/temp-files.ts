import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../io/io-error.ts';
import { syncAndClose } from '../../io/sync-soon.ts';

/** Git leaves files with these first letters alone while they are young, and prunes them when they are old. */
const PREFIX = { object: 'tmp_obj_devloop', pack: 'tmp_pack_devloop', index: 'tmp_idx_devloop' } as const;
const OWN_NAME = /^tmp_(?:obj|pack|idx)_devloop-(\d+)-[0-9a-f]{12}$/;
const ABANDONED_MS = 3_600_000;

/** A file that nobody else has, open for reading and writing, on its way to become part of an object store. */
export class TempFile {
  readonly fd: number;
  readonly #path: string;
  #open = true;

  constructor(folder: string, kind: keyof typeof PREFIX) {
    this.#path = join(folder, `${PREFIX[kind]}-${process.pid}-${randomBytes(6).toString('hex')}`);
    const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    this.fd = openSync(this.#path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o444);
  }

  close(): void {
    if (this.#open) closeSync(this.fd);
    this.#open = false;
  }

  /** Closes it with its bytes on the disk. */
  async sync(): Promise<void> {
    this.#open = false;
    await syncAndClose(this.fd);
  }

  /** Gives it its name; what had that name before is gone. */
  publish(target: string): void {
    renameSync(this.#path, target);
  }

  /** Removes it, unless it has its name already. */
  drop(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}

/** Removes what writers that were killed have left, and returns how many files that were; those of writers that may be alive stay. */
export function sweepTempFiles(objectsDir: string): number {
  let swept = 0;
  for (const folder of [objectsDir, join(objectsDir, 'pack')]) {
    for (const name of namesIn(folder)) {
      const writer = OWN_NAME.exec(name)?.[1];
      const path = join(folder, name);
      if (writer === undefined || !isAbandoned(path, Number(writer))) continue;
      rmSync(path, { force: true });
      swept++;
    }
  }
  return swept;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** The number of a dead writer may have gone to another process: its age tells then. */
function isAbandoned(path: string, writer: number): boolean {
  if (!isAlive(writer)) return true;
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && changed < Date.now() - ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
