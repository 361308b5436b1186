import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Takes back what a clean close wrote down: the record of a project is as a kill right after the last move of refs leaves it. */
export function forgetEnd(state: string): void {
  const path = join(state, 'refs.ndjson');
  const lines = readFileSync(path, 'utf8').split('\n');
  if (lines.at(-2)?.includes('"confirmed"')) writeFileSync(path, `${lines.slice(0, -2).join('\n')}\n`);
}
