import { z } from 'zod';
import { OBJECT_TARGETS } from '../../domain/point.ts';

const place = {
  kind: z.enum(OBJECT_TARGETS),
  url: z.string().optional().meta({ description: 'Of the bucket' }),
};
const amount = z.object({ objects: z.int(), bytes: z.int() });

export const objectStatus = z
  .object({
    ...place,
    needed: amount.meta({ description: 'What points need, and is there' }),
    garbage: amount.meta({ description: 'What no point needs; prune removes it, from a bucket when it is a day old' }),
    missing: z.int().meta({ description: 'Needed and not listed; verify names the points' }),
    elsewhere: z.array(z.string()).readonly().meta({ description: 'Buckets with copies of a move that has not ended' }),
  })
  .meta({ id: 'ObjectStatus' });

export const movedObjects = z
  .object({
    objects: z.object(place),
    copied: z.int().meta({ description: 'Objects; the others were there already' }),
    bytes: z.int(),
    verified: z.int().meta({ description: 'Objects that were read back and are whole' }),
  })
  .meta({ id: 'MovedObjects' });
