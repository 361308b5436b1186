import { E_TIMEOUT, Mutex, withTimeout } from 'async-mutex';

export interface KeyedMutexOptions {
  /** How long a caller waits for its turn. */
  readonly timeout_ms: number;
  /** The error for a caller that waited in vain. */
  readonly onTimeout: (key: string) => Error;
}

/** One lock a key, taken in the order of asking; a key that nobody holds or waits for takes no memory. Not reentrant. */
export class KeyedMutex {
  readonly #options: KeyedMutexOptions;
  readonly #locks = new Map<string, { readonly mutex: Mutex; users: number }>();

  constructor(options: KeyedMutexOptions) {
    this.#options = options;
  }

  /** Does the work while holding the key's lock, and returns what it returns. */
  async run<Result>(key: string, work: () => Result | Promise<Result>): Promise<Result> {
    const lock = this.#locks.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.#locks.set(key, lock);
    lock.users++;
    try {
      const release = await this.#acquire(key, lock.mutex);
      try {
        return await work();
      } finally {
        release();
      }
    } finally {
      lock.users--;
      if (lock.users === 0) this.#locks.delete(key);
    }
  }

  /** True while somebody holds the key's lock. */
  isHeld(key: string): boolean {
    return this.#locks.has(key);
  }

  async #acquire(key: string, mutex: Mutex): Promise<() => void> {
    if (!mutex.isLocked()) return mutex.acquire();
    try {
      return await withTimeout(mutex, this.#options.timeout_ms).acquire();
    } catch (error) {
      throw error === E_TIMEOUT ? this.#options.onTimeout(key) : error;
    }
  }
}
