/** An answer may come this slowly, bytes a millisecond, and no slower for long. */
const SLOWEST = 1;

/** Gives up on an answer, by its signal, when nothing or too little comes for too long, or when the caller gives up. */
export class AnswerClock {
  readonly #patience: number;
  readonly #silence = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds that may still be waited. */
  #left: number;
  #since = 0;

  /** @param patience milliseconds */
  constructor(patience: number, caller: AbortSignal | undefined) {
    this.#patience = patience;
    this.#left = patience;
    this.signal = caller === undefined ? this.#silence.signal : AbortSignal.any([this.#silence.signal, caller]);
  }

  /** Begins to wait for the answer's head, or for its next bytes. @param more milliseconds besides */
  start(more = 0): void {
    this.stop();
    const silent = () => this.#silence.abort(new Error(`no byte came for ${this.#patience + more} ms`));
    this.#since = performance.now();
    this.#left += more;
    this.#timer = setTimeout(silent, this.#left);
  }

  /** Ends the waiting; what was waited is no longer there. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Math.min(this.#patience, Math.max(0, this.#left - (performance.now() - this.#since)));
  }

  /** Ends the waiting as so many bytes have come, which buy time for the next ones. */
  came(bytes: number): void {
    this.stop();
    this.#left = Math.min(this.#patience, this.#left + bytes / SLOWEST);
  }

  /** Ends the waiting, and has all its patience again: the head of an answer has come. */
  answered(): void {
    this.stop();
    this.#left = this.#patience;
  }
}
