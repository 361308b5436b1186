import { z } from 'zod';

export const storeCheck = z.object({ points: z.int(), problems: z.array(z.string()).readonly() });
export const purged = z.object({ points: z.array(z.string()).readonly() });
export const pruned = purged.extend({
  bytes_before: z.int(),
  bytes_after: z.int(),
  bucket: z
    .object({
      removed: z.int(),
      bytes: z.int(),
      waiting: z.int().meta({ description: 'Needed by no point, and too young to be removed' }),
    })
    .optional()
    .meta({ description: 'Where the large files are in a bucket' }),
});

export const prunedAll = z
  .object({
    items: z.array(z.object({ workspace: z.string(), points: z.array(z.string()).readonly() })).readonly(),
    bytes_before: z.int().meta({ description: 'Of all histories together, on this disk' }),
    bytes_after: z.int(),
  })
  .meta({ id: 'PrunedAll' });
