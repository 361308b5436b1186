import { join } from 'node:path';
import { ZERO_OID } from '../../domain/ids.ts';
import type { RefUpdate } from '../../git/ref-transaction.ts';
import { listRefs } from '../../git/refs.ts';

/** Absolute path of the bare repository that a project's refs and objects are copied to, in the server's folder for it. */
export function mirrorDir(state: string): string {
  return join(state, 'mirror.git');
}

/**
 * True where the mirror shows that a move came to pass: it follows the record only. Whatever somebody did to the refs since,
 * the move is not undone by it.
 */
export function isMirroredMove(state: string, { updates }: { readonly updates: readonly RefUpdate[] }): boolean {
  const mirrored = listRefs(mirrorDir(state), 'refs/');
  return updates.every((update) => (mirrored.get(update.ref) ?? ZERO_OID) === update.new);
}
