import { randomBytes } from 'node:crypto';

const LIFETIME_MS = 10 * 60_000;
const MAX_KEYS = 100;

/** Keys that are good once, and not for long: the link that `serve` prints carries one in its fragment. */
export interface SessionKeys {
  issue(): string;
  /** True the first time for a key that is still good. */
  redeem(key: string): boolean;
}

export function createSessionKeys(now: () => number): SessionKeys {
  const issued = new Map<string, number>();
  return {
    issue() {
      const key = randomBytes(24).toString('base64url');
      issued.set(key, now());
      const [oldest] = issued.keys();
      if (issued.size > MAX_KEYS && oldest !== undefined) issued.delete(oldest);
      return key;
    },
    redeem(key) {
      const at = issued.get(key);
      return issued.delete(key) && at !== undefined && now() - at <= LIFETIME_MS;
    },
  };
}
