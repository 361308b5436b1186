import { z } from 'zod';
import { pageLimit, timestamp } from './common.ts';

export const timelineQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: pageLimit.default(100),
});

export const followQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .meta({ description: 'Replay what came after this id; a Last-Event-ID header counts first' }),
});

export const timelineLine = z
  .looseObject({ seq: z.int(), ts: timestamp, source: z.string(), kind: z.string() })
  .meta({ id: 'TimelineLine' });
/** Ascending: `next` is the `after` of the next page. */
export const timelinePage = z.object({ items: z.array(timelineLine).readonly(), next: z.string().optional() });
