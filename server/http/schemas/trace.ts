import { z } from 'zod';
import { cursor, listOf, oid, timestamp } from './common.ts';

export const traceQuery = z.strictObject({
  format: z.enum(['agent-trace']).default('agent-trace'),
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'How many commits are looked at' }),
  cursor: cursor.optional(),
});

const range = z.object({ start_line: z.int().min(1), end_line: z.int().min(1) });
const conversation = z.object({
  url: z.string().optional(),
  contributor: z.object({ type: z.literal('ai'), model_id: z.string().optional() }),
  ranges: z.array(range).readonly(),
});

/** Agent Trace 0.1. */
const traceRecord = z
  .object({
    version: z.literal('0.1'),
    id: z.uuid(),
    timestamp,
    vcs: z.object({ type: z.literal('git'), revision: oid }),
    files: z.array(z.object({ path: z.string(), conversations: z.array(conversation).readonly() })).readonly(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TraceRecord' });
export const traceList = listOf(traceRecord);
