import { applySteps } from './apply-steps.ts';
import { usualStage } from './choose-stages.ts';
import { isFolder, realFolder } from './disk-path.ts';
import { type ReadAgain, restage } from './restage.ts';
import { type FoundNote, readNotes } from './restore-journal.ts';
import { dropStages, secondStages } from './restore-stage.ts';
import { giveUp, reportOf, settle, type WriteBackReport } from './settle-write-back.ts';

/**
 * Carries on what a killed process began, or a power cut undid, and drops what was only prepared; durable when it resolves.
 * Called before anything else touches the root.
 * @param root absolute path of where the folder is now, where it may have been moved since
 */
export async function finishWriteBacks(
  journal: string,
  root?: string,
  { read, usualRoot = root }: Leftovers = {},
): Promise<readonly WriteBackReport[]> {
  const { applying, staging } = readNotes(journal);
  const moved = root === undefined ? {} : { root: realFolder(root) };
  for (const note of staging) {
    const torn = { root: usualRoot, stages: [usualStage(note.id)] };
    await giveUp(journal, { ...torn, ...note, ...moved });
  }
  const reports: WriteBackReport[] = [];
  for (const note of applying.map((one) => ({ ...one, ...moved }))) {
    // What is gone, or on a disk that is not there now, waits for its return and holds up nothing else.
    if (isFolder(note.root)) reports.push(await resume(journal, note, read));
  }
  return reports;
}

export interface Leftovers {
  /** Gives the contents that were told to be kept. */
  readonly read?: ReadAgain;
  /** Absolute path of the folder that a note belongs to of which a power cut left too little to tell. */
  readonly usualRoot?: string | undefined;
}

async function resume(journal: string, note: FoundNote, read: ReadAgain | undefined): Promise<WriteBackReport> {
  const { id, root, stages } = note;
  await dropStages(root, secondStages(stages));
  // What their owner may not enter cannot be looked into.
  await applySteps(
    root,
    [],
    note.steps.filter((step) => step.do === 'open_folder'),
  );
  const steps = await restage(note, read);
  const applied = await applySteps(root, [...stages, ...secondStages(stages)], steps, { resumed: true });
  await settle(journal, note, applied);
  return reportOf(id, applied);
}
