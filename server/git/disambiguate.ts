import { type Oid, parseOid } from '../domain/ids.ts';
import { readGit } from './stream.ts';

/** Lists the ids of all objects, of any kind, that begin with some hex digits (4 at least). */
export async function objectsWithPrefix(shadowDir: string, hex: string): Promise<readonly Oid[]> {
  const output = await readGit(shadowDir, ['rev-parse', `--disambiguate=${hex}`]);
  return output
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseOid(line));
}
