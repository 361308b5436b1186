import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../../domain/errors.ts';
import { ZERO_OID } from '../../domain/ids.ts';
import { rewriteObjectFiles } from '../objects/object-file.ts';
import { type RefUpdate, updateRefs } from '../ref-transaction.ts';
import { readLooseRef, readRef } from '../refs.ts';
import type { AheadNote } from './ahead-note.ts';

/**
 * Brings to pass what a note says, from the note alone and durably, however much of it has come to pass and whatever a power cut
 * has left of it: files under the right names with anything in them. A ref that somebody has moved elsewhere since stays there.
 */
export async function redoNote(gitDir: string, { files, updates }: AheadNote): Promise<void> {
  await rewriteObjectFiles(join(gitDir, 'objects'), files);
  await updateRefs({ gitDir, updates: updates.flatMap((update) => aimed(gitDir, update)) });
}

/** The update from what the ref is now; again where it has moved already: its file may not be on the disk. */
function aimed(gitDir: string, update: RefUpdate): readonly RefUpdate[] {
  const torn = dropTorn(gitDir, update.ref);
  const now = readRef(gitDir, update.ref) ?? ZERO_OID;
  return torn || now === update.old || now === update.new ? [{ ...update, old: now }] : [];
}

/** Removes a ref's file where it holds no object id, and says whether it did. */
function dropTorn(gitDir: string, ref: string): boolean {
  try {
    readLooseRef(gitDir, ref);
    return false;
  } catch (error) {
    const path = join(gitDir, ref);
    if (!isDevLoopError(error, 'vault_damaged') || !lstatSync(path).isFile()) throw error;
    rmSync(path);
    return true;
  }
}
