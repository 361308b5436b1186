import { z } from 'zod';
import { DevLoopError } from '../domain/errors.ts';
import type { ProblemPart } from './problem.ts';

type Part = 'params' | 'query' | 'body';

const MAX_PARTS = 20;

/** Parses one part of a request by its schema; a part without one must be empty. Throws validation_failed with each fault's place. */
export function parseRequestPart<S extends z.ZodType>(part: Part, schema: S | undefined, value: unknown): z.output<S> {
  const parsed = (schema ?? z.strictObject({})).safeParse(value);
  if (parsed.success) return parsed.data as z.output<S>;
  const errors = parsed.error.issues.slice(0, MAX_PARTS).map((issue) => faultAt(part, issue));
  throw new DevLoopError('validation_failed', `The ${PART_NAMES[part]} does not fit: ${errors[0]?.message ?? ''}`, {
    data: { errors },
    hint: 'Each entry of `errors` names a place and what is wrong there; openapi.json has the schemas.',
  });
}

const PART_NAMES: Readonly<Record<Part, string>> = { params: 'address', query: 'query', body: 'body' };

function faultAt(part: Part, issue: z.core.$ZodIssue): ProblemPart {
  const path = issue.path.map(String);
  const at = part === 'body' ? path.map((name) => `/${pointerPart(name)}`).join('') : [part, ...path].join('.');
  return { at, message: issue.message.slice(0, 300) };
}

const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
