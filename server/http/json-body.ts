import type { IncomingMessage } from 'node:http';
import { DevLoopError } from '../domain/errors.ts';
import type { HttpLimits } from './options.ts';
import { readBody } from './read-body.ts';

const JSON_TYPE = /^application\/json *(; *charset=("utf-8"|utf-8) *)?$/i;
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/**
 * Reads a JSON body; an absent one is `{}`. Throws unsupported_media_type, body_too_large, bad_request (not JSON, not UTF-8, cut
 * short) and validation_failed (nested too deep, a member named like a prototype's).
 */
export async function readJsonBody(
  request: IncomingMessage,
  limits: Pick<HttpLimits, 'body_bytes' | 'json_depth'>,
): Promise<JsonBody> {
  const bytes = await readBody(request, limits.body_bytes);
  if (bytes.length === 0) return { value: {}, bytes };
  requireJson(request);
  const value = parseJson(bytes);
  requireSafe(value, limits.json_depth);
  return { value, bytes };
}

function requireJson(request: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (JSON_TYPE.test(type) && encoding === 'identity') return;
  throw new DevLoopError(
    'unsupported_media_type',
    `The body is ${encoding === 'identity' ? type || 'of no type' : encoding}.`,
    {
      hint: 'Send JSON in UTF-8, not compressed, with `Content-Type: application/json`.',
    },
  );
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new DevLoopError('bad_request', 'The body is not JSON in UTF-8.', { cause: error });
  }
}

function requireSafe(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw new DevLoopError('validation_failed', 'The body is nested too deep.');
  for (const [name, member] of Object.entries(value)) {
    if (PROTOTYPE_NAMES.has(name)) throw new DevLoopError('validation_failed', `The body has a member named ${name}.`);
    requireSafe(member, depth - 1);
  }
}
