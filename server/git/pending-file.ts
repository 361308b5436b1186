import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { renameOver } from '../io/rename-over.ts';
import { syncAndClose } from '../io/sync-soon.ts';
import { writeFully, writeFullyAt } from '../io/write-atomic.ts';

/**
 * A file that is written under a name of its own before it gets the name it is for. Making it fails with EEXIST where
 * that name is taken, so that it can serve as a lock.
 */
export class PendingFile {
  readonly path: string;
  readonly fd: number;
  #open = true;
  #pending = true;

  constructor(path: string, mode: number) {
    const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    this.path = path;
    this.fd = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  }

  write(bytes: Uint8Array): void {
    writeFully(this.fd, bytes);
  }

  /** Writes over what is there; the place that `write` goes on at stays. */
  writeAt(bytes: Uint8Array, at: number): void {
    writeFullyAt(this.fd, bytes, at);
  }

  close(): void {
    if (this.#open) closeSync(this.fd);
    this.#open = false;
  }

  /** Closes it with its bytes on the disk, be it before it gets its name or after; what is closed is left alone. */
  async sync(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await syncAndClose(this.fd);
  }

  /** Gives it the name it is for; what had that name before is gone. */
  publish(target: string): void {
    renameOver(this.path, target);
    this.#pending = false;
  }

  /** Closes and removes it; after `publish` this does nothing. */
  drop(): void {
    if (!this.#pending) return;
    this.#pending = false;
    this.close();
    rmSync(this.path, { force: true });
  }
}
