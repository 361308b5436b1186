import { DevLoopError } from '../domain/errors.ts';
import type { NotRestored, RestorePlan } from '../domain/restore-plan.ts';
import { applySteps } from './apply-steps.ts';
import { chooseStages } from './choose-stages.ts';
import { realFolder } from './disk-path.ts';
import { prepareSteps } from './prepare-steps.ts';
import { type RestoreNote, readNotes, removeNote, writeNote } from './restore-journal.ts';
import { dropStages, type ReadFile } from './restore-stage.ts';
import { stageFiles } from './stage-files.ts';

export interface WriteBack {
  /** Unique; letters, digits and dashes. */
  readonly id: string;
  /** Absolute path of the folder to write to. */
  readonly root: string;
  /** Absolute path of a folder out of others' reach, for the note of what is under way. */
  readonly journal: string;
  readonly plan: RestorePlan;
  readonly modes: 'git' | 'exact';
  readonly read: ReadFile;
  readonly signal?: AbortSignal;
}

export interface WriteBackReport {
  readonly id: string;
  readonly changed: number;
  /** Was changed by somebody while the restore ran; it is as they left it. */
  readonly skipped: readonly NotRestored[];
}

/**
 * Carries a plan out: whole, or not at all, or (after a kill) at the next `finishWriteBacks`. Durable when it resolves.
 * The caller sees to it that there is one at a time for a root.
 * @throws DevLoopError restore_pending beside one that did not end, and where this one began and could not end; plan_stale where the disk has moved on (nothing was
 * written then); what the disk refuses while new files are staged is thrown as it is, and nothing was written either
 */
export async function writeBack(request: WriteBack): Promise<WriteBackReport> {
  const { id, journal, plan } = request;
  if (readNotes(journal).length > 0) {
    throw new DevLoopError('restore_pending', 'an earlier restore did not end yet', { data: { journal } });
  }
  if (plan.files.length === 0 && plan.folders.length === 0) return { id, changed: 0, skipped: [] };
  const root = realFolder(request.root);
  const stages = chooseStages(root, id, plan);
  const folders = [...new Set(stages.values())];
  const note: RestoreNote = { schema: 1, id, root, state: 'staging', stages: folders, steps: [] };
  writeNote(journal, note);
  let begun = false;
  try {
    const staged = await stageFiles({ ...request, root, stages, folders });
    const steps = prepareSteps(root, plan, staged, folders);
    const ready: RestoreNote = { ...note, state: 'applying', steps };
    writeNote(journal, ready);
    begun = true;
    return finish(journal, ready);
  } catch (error) {
    // Also where all was written, and only the note's end was refused.
    if (begun || isApplying(journal)) throw pending(id, error);
    giveUp(journal, note);
    throw error;
  }
}

/**
 * Carries on what a killed process began, and drops what it only prepared. Called before anything else touches the root.
 * @param root absolute path of where the folder is now, where it may have been moved since
 */
export function finishWriteBacks(journal: string, root?: string): readonly WriteBackReport[] {
  return readNotes(journal).flatMap((noted) => {
    const note = root === undefined ? noted : { ...noted, root: realFolder(root) };
    if (note.state === 'applying') return [finish(journal, note)];
    giveUp(journal, note);
    return [];
  });
}

function pending(id: string, cause: unknown): DevLoopError {
  return new DevLoopError('restore_pending', 'the restore began and could not end; it goes on at the next start', {
    data: { id },
    cause,
  });
}

/** What was decided is carried to its end, by the next `finishWriteBacks` where this process cannot. */
function isApplying(journal: string): boolean {
  return readNotes(journal).some(({ state }) => state === 'applying');
}

function finish(journal: string, note: RestoreNote): WriteBackReport {
  const { id, root, stages, steps } = note;
  const { done, skipped } = applySteps(root, stages, steps);
  // A note without its stage is harmless, a stage without its note would stay: so the note goes last.
  giveUp(journal, note);
  return { id, changed: done, skipped };
}

function giveUp(journal: string, { id, root, stages }: RestoreNote): void {
  dropStages(root, stages);
  removeNote(journal, id);
}
