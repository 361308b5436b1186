import { createHash } from 'node:crypto';
import { DevLoopError } from '../domain/errors.ts';
import type { Outcome } from './route.ts';

const LIFETIME_MS = 24 * 3_600_000;
const MAX_KEYS = 10_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

export interface KeyedRequest {
  readonly key: string;
  /** Method and address: a key counts for these only. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** What was answered under each Idempotency-Key; kept a day, while the server runs. */
export interface Idempotency {
  /**
   * Does it the first time; then gives the first outcome again. A failure is forgotten, so that it can be tried again.
   * Throws bad_request for a key that is none, validation_failed where it came with another body, conflict while the first still runs.
   */
  once(
    request: KeyedRequest,
    act: () => Promise<Outcome>,
  ): Promise<{ readonly outcome: Outcome; readonly repeated: boolean }>;
}

interface Entry {
  readonly digest: string;
  readonly at: number;
  readonly outcome?: Outcome;
}

export function createIdempotency(now: () => number): Idempotency {
  const entries = new Map<string, Entry>();

  function dropOld(): void {
    for (const [name, entry] of entries) {
      if (entries.size < MAX_KEYS && now() - entry.at < LIFETIME_MS) return;
      entries.delete(name);
    }
  }

  return {
    async once({ key, target, body }, act) {
      if (!KEY.test(key))
        throw new DevLoopError('bad_request', 'The Idempotency-Key is not 1 to 255 printable characters.');
      dropOld();
      const name = `${target} ${key}`;
      const digest = createHash('sha256').update(body).digest('hex');
      const known = entries.get(name);
      if (known !== undefined) return { outcome: sameRequest(known, digest), repeated: true };
      const entry = { digest, at: now() };
      entries.set(name, entry);
      try {
        const outcome = await act();
        entries.set(name, { ...entry, outcome });
        return { outcome, repeated: false };
      } catch (error) {
        entries.delete(name);
        throw error;
      }
    },
  };
}

function sameRequest({ digest, outcome }: Entry, wanted: string): Outcome {
  if (digest !== wanted) {
    throw new DevLoopError('validation_failed', 'The Idempotency-Key was used with another body.', {
      hint: 'Use a new key for a new request.',
    });
  }
  if (outcome !== undefined) return outcome;
  throw new DevLoopError('conflict', 'The first request with this Idempotency-Key is still under way.', {
    hint: 'Try again in a moment.',
  });
}
