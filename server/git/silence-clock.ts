import { DevLoopError } from '../domain/errors.ts';
import { findSpecialFile } from './special-files.ts';

/** Watches a git process that somebody waits for, and gives up on it once it has been silent for too long. */
export class SilenceClock {
  readonly #shadowDir: string;
  readonly #idleMs: number;
  readonly #onGiveUp: (error: DevLoopError) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Since the last sign of life; ms. */
  #silent = 0;

  constructor(
    shadowDir: string,
    options: { readonly idle_ms: number; readonly onGiveUp: (error: DevLoopError) => void },
  ) {
    this.#shadowDir = shadowDir;
    this.#idleMs = options.idle_ms;
    this.#onGiveUp = options.onGiveUp;
  }

  /** Begins to count, unless it does already. */
  start(): void {
    this.#timer ??= this.#wait();
  }

  /** Takes note of a sign of life. */
  refresh(): void {
    if (this.#timer === undefined) return;
    this.stop();
    this.start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#silent = 0;
  }

  #wait(): NodeJS.Timeout {
    const wait = this.#silent === 0 ? Math.min(LOOK_MS, this.#idleMs) : this.#idleMs - this.#silent;
    return setTimeout(() => this.#look(wait), wait);
  }

  /** A pipe in place of an object would keep git waiting for ever: it is looked for before the time is over. */
  #look(waited: number): void {
    this.#silent += waited;
    const special = findSpecialFile(this.#shadowDir);
    if (special === undefined && this.#silent < this.#idleMs) {
      this.#timer = this.#wait();
      return;
    }
    this.stop();
    this.#onGiveUp(special === undefined ? silentFor(this.#idleMs) : heldUpBy(special));
  }
}

const LOOK_MS = 1000;

function silentFor(idle_ms: number): DevLoopError {
  return new DevLoopError('timeout', `git gave no sign of life for ${idle_ms} ms`);
}

function heldUpBy(path: string): DevLoopError {
  return new DevLoopError('vault_tampered', `git is held up by .git/${path}, which is no file`, {
    data: { file: path },
    hint: 'Remove it, or restore the project.',
  });
}
