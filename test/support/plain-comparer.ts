import { join } from 'node:path';
import { type Comparer, openComparer } from '../../server/compare/index.ts';

/** Compares without a sandbox: with the bounds that every system has. */
export function plainComparer(folder: string): Comparer {
  return openComparer({
    folder: join(folder, 'compare'),
    sandbox: async () => ({ layers: [], path: process.env.PATH ?? '', confine: ({ argv }) => argv }),
  });
}
