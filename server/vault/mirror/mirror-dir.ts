import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ZERO_OID } from '../../domain/ids.ts';
import type { RefUpdate } from '../../git/ref-transaction.ts';
import { listRefs } from '../../git/refs.ts';

/** Absolute path of the bare repository that a project's refs and objects are copied to, in the server's folder for it. */
export function mirrorDir(state: string): string {
  return join(state, 'mirror.git');
}

/** Absolute path of the mirror's objects, each of which was hashed; undefined where there is no mirror yet. */
export function mirrorObjects(state: string): string | undefined {
  const folder = join(mirrorDir(state), 'objects');
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

/**
 * True where the mirror shows that a move came to pass: it follows the record only. Whatever somebody did to the refs since,
 * the move is not undone by it. Of refs that go it shows nothing: one that it never had is not there either.
 */
export function isMirroredMove(state: string, { updates }: { readonly updates: readonly RefUpdate[] }): boolean {
  const mirrored = listRefs(mirrorDir(state), 'refs/');
  const made = updates.filter((update) => update.new !== ZERO_OID);
  return made.length > 0 && made.every(({ ref, new: value }) => mirrored.get(ref) === value);
}
