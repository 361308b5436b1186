import { createHash, timingSafeEqual } from 'node:crypto';
import { DevLoopError } from '../../domain/errors.ts';
import type { HttpLimits } from '../options.ts';

export interface TokenCheck {
  /** Throws unauthorized; too_many_requests where an address was refused too often. A good token always passes. */
  check(authorization: readonly string[], address: string): void;
  /** Counts a refusal of another kind of key. Throws as `check` does. */
  refuse(address: string, message: string): never;
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;
const MAX_ADDRESSES = 1_000;

/** Compares tokens in constant time, and slows down an address that guesses. */
export function createTokenCheck(
  token: string,
  limits: Pick<HttpLimits, 'refused_burst' | 'refused_every_ms'>,
  now: () => number,
): TokenCheck {
  const expected = digest(token);
  const refusals = new Map<string, { readonly count: number; readonly at: number }>();

  function refuse(address: string, message: string): never {
    const time = now();
    const last = refusals.get(address) ?? { count: 0, at: time };
    const count = Math.max(0, last.count - (time - last.at) / limits.refused_every_ms) + 1;
    if (refusals.size >= MAX_ADDRESSES) refusals.clear();
    refusals.set(address, { count: Math.min(count, limits.refused_burst), at: time });
    if (count > limits.refused_burst) throw new DevLoopError('too_many_requests', 'Too many refused tokens.');
    throw new DevLoopError('unauthorized', message, {
      hint: 'Send `Authorization: Bearer TOKEN`; the token is in .devloop/token of the data folder.',
    });
  }

  return {
    check(authorization, address) {
      const [value, ...others] = authorization;
      if (value === undefined) return refuse(address, 'The request has no token.');
      const given = BEARER.exec(value)?.[1];
      const fits = given !== undefined && timingSafeEqual(digest(given), expected);
      if (!fits || others.length > 0) return refuse(address, 'The token is not the one of this server.');
    },
    refuse,
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
