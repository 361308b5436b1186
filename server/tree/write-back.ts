import { DevLoopError } from '../domain/errors.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { allEnded } from '../io/all-ended.ts';
import { applySteps } from './apply-steps.ts';
import { chooseStages } from './choose-stages.ts';
import { realFolder } from './disk-path.ts';
import { prepareSteps, refuseMoved } from './prepare-steps.ts';
import {
  isNoted,
  type NotedFile,
  noteStages,
  prepareNote,
  type RestoreNote,
  readNotes,
  revokeNote,
  type StageNote,
} from './restore-journal.ts';
import type { ReadFile } from './restore-stage.ts';
import { giveUp, reportOf, settle, type WriteBackReport } from './settle-write-back.ts';
import { type Staging, stageFiles } from './stage-files.ts';

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
  /** True for contents that `finishWriteBacks` is able to read again. Where it is given, the disk need not have the files when this resolves: see `settled`. */
  readonly kept?: Staging['kept'];
  /** Is there when the first file is replaced, and whenever this is carried on; where it cannot be written, none is. */
  readonly record?: NotedFile | undefined;
  readonly signal?: AbortSignal;
}

export interface WrittenBack extends WriteBackReport {
  /**
   * Resolves when the disk has all and the note is gone. Until then a power cut leaves files that `finishWriteBacks` makes whole
   * by the note, and it is called before anything else touches the root. Where it fails, the note stays for that.
   */
  readonly settled: Promise<void>;
}

/**
 * Carries a plan out: whole, or not at all, or (after a kill or a power cut) at the next `finishWriteBacks`. The caller sees to it
 * that there is one at a time for a root.
 * @throws DevLoopError restore_pending beside one that did not end, and where this one began and could not end; plan_stale where the disk has moved on (nothing was
 * written then); what the disk refuses while new files are staged is thrown as it is, and nothing was written either
 */
export async function writeBack(request: WriteBack): Promise<WrittenBack> {
  const { id, journal, plan } = request;
  const root = realFolder(request.root);
  const { applying, staging } = readNotes(journal);
  if (staging.length > 0 || applying.some((note) => note.root === root)) {
    throw new DevLoopError('restore_pending', 'an earlier restore did not end yet', { data: { journal } });
  }
  if (plan.files.length === 0 && plan.folders.length === 0)
    return { id, changed: 0, skipped: [], settled: Promise.resolve() };
  const stages = chooseStages(root, id, plan);
  const folders = [...new Set(stages.values())];
  const { record } = request;
  const stage: StageNote = { schema: 1, id, root, stages: folders, record: record && { path: record.path } };
  const underWay: Promise<unknown>[] = [];
  let begun = false;
  try {
    noteStages(journal, stage);
    const { staged, synced } = await stageFiles({ ...request, root, stages, folders });
    underWay.push(synced);
    const steps = prepareSteps(root, plan, staged, folders);
    const note: RestoreNote = { ...stage, steps, record };
    const ready = prepareNote(journal, note);
    underWay.push(ready.synced);
    // While the disk is at work: what is changed after this look is met by its own step.
    refuseMoved(root, steps);
    await allEnded(underWay);
    ready.publish();
    begun = true;
    const applied = await applySteps(root, folders, steps);
    const settled = settle(journal, note, applied);
    settled.catch(() => undefined);
    if (request.kept === undefined) await settled;
    return { ...reportOf(id, applied), settled };
  } catch (error) {
    await Promise.allSettled(underWay);
    // Also where all was written, and only the note's end was refused.
    if (begun || isNoted(journal, id)) throw pending(id, error);
    await revokeNote(journal, id);
    await giveUp(journal, stage);
    throw error;
  }
}

function pending(id: string, cause: unknown): DevLoopError {
  return new DevLoopError('restore_pending', 'the restore began and could not end; it goes on at the next start', {
    data: { id },
    cause,
  });
}
