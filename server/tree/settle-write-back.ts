import type { NotRestored } from '../domain/restore-plan.ts';
import { allEnded } from '../io/all-ended.ts';
import type { AppliedSteps } from './apply-steps.ts';
import { isOneDisk } from './choose-stages.ts';
import { isFolder } from './disk-path.ts';
import { keepRecord, notePlaced, type RestoreNote, removeNotes, type StageNote } from './restore-journal.ts';
import { dropStages } from './restore-stage.ts';
import { syncSteps } from './sync-steps.ts';

export interface WriteBackReport {
  readonly id: string;
  readonly changed: number;
  /** Was changed by somebody while the restore ran; it is as they left it. */
  readonly skipped: readonly NotRestored[];
}

export const reportOf = (id: string, { done, skipped }: AppliedSteps): WriteBackReport => ({
  id,
  changed: done,
  skipped,
});

/** Makes durable what a note's steps have done, and ends the write-back. Where it fails, the note stays. */
export async function settle(journal: string, note: RestoreNote, { unsynced, replaced }: AppliedSteps): Promise<void> {
  await allEnded([
    markPlaced(journal, note),
    syncSteps(note.root, unsynced),
    keepRecord(journal, note),
    ...replaced.map((held) => held.closeSoon()),
  ]);
  await giveUp(journal, note);
}

async function markPlaced(journal: string, note: RestoreNote): Promise<void> {
  if (isOneDisk(journal, note)) notePlaced(journal, note.id);
}

/** Takes away what stands beside a write-back's targets; a root that nobody knows is left alone. */
export async function giveUp(
  journal: string,
  note: Pick<StageNote, 'id' | 'stages' | 'record'> & { readonly root: string | undefined },
): Promise<void> {
  // A note without its stage is harmless, a stage without its note would stay: so the notes go last.
  if (note.root !== undefined && isFolder(note.root)) await dropStages(note.root, note.stages);
  await removeNotes(journal, note);
}
