/** Gives up on an answer, by its signal, when nothing comes for too long, or when the caller gives up. */
export class AnswerClock {
  readonly #patience: number;
  readonly #silence = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  /** @param patience milliseconds */
  constructor(patience: number, caller: AbortSignal | undefined) {
    this.#patience = patience;
    this.signal = caller === undefined ? this.#silence.signal : AbortSignal.any([this.#silence.signal, caller]);
  }

  /** Begins to wait, or begins anew. @param more milliseconds besides */
  start(more = 0): void {
    this.stop();
    const silent = () => this.#silence.abort(new Error(`no byte came for ${this.#patience + more} ms`));
    this.#timer = setTimeout(silent, this.#patience + more);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
