import { createHash, timingSafeEqual } from 'node:crypto';
import { DevLoopError } from '../../domain/errors.ts';
import type { HttpLimits } from '../options.ts';

/** How a token comes: by itself, or (as git sends it) as the password of any user. */
export type Scheme = 'Bearer' | 'Basic';

export interface TokenCheck {
  /** Throws unauthorized; too_many_requests where an address was refused too often. A good token always passes. */
  check(authorization: readonly string[], from: TokenSender): void;
  /** Counts a refusal of another kind of key. Throws as `check` does. */
  refuse(from: TokenSender, message: string): never;
}

export interface TokenSender {
  readonly address: string;
  /** The scheme that is taken besides Bearer. */
  readonly scheme?: Scheme;
}

const CREDENTIALS = /^(Bearer|Basic) +([\x21-\x7e]{1,1024})$/i;
const MAX_ADDRESSES = 1_000;

/** Compares tokens in constant time, and slows down an address that guesses. */
export function createTokenCheck(
  token: string,
  limits: Pick<HttpLimits, 'refused_burst' | 'refused_every_ms'>,
  now: () => number,
): TokenCheck {
  const expected = digest(token);
  const refusals = new Map<string, { readonly count: number; readonly at: number }>();

  function refuse({ address, scheme = 'Bearer' }: TokenSender, message: string): never {
    const time = now();
    const last = refusals.get(address) ?? { count: 0, at: time };
    const count = Math.max(0, last.count - (time - last.at) / limits.refused_every_ms) + 1;
    if (refusals.size >= MAX_ADDRESSES) refusals.clear();
    refusals.set(address, { count: Math.min(count, limits.refused_burst), at: time });
    if (count > limits.refused_burst) throw new DevLoopError('too_many_requests', 'Too many refused tokens.');
    throw new DevLoopError('unauthorized', message, {
      data: { scheme },
      hint: 'Send `Authorization: Bearer TOKEN`; the token is in .devloop/token of the data folder.',
    });
  }

  return {
    check(authorization, from) {
      const [value, ...others] = authorization;
      if (value === undefined) return refuse(from, 'The request has no token.');
      const given = tokenIn(value, from.scheme ?? 'Bearer');
      const fits = given !== undefined && timingSafeEqual(digest(given), expected);
      if (!fits || others.length > 0) return refuse(from, 'The token is not the one of this server.');
    },
    refuse,
  };
}

function tokenIn(value: string, also: Scheme): string | undefined {
  const [, scheme = '', credentials = ''] = CREDENTIALS.exec(value) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== also.toLowerCase()) return undefined;
  return Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
