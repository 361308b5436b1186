import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a real runner printed or wrote, with neutral paths. */
export function sample(name: string): string {
  return readFileSync(join(import.meta.dirname, 'samples', name), 'utf8');
}
