import { DevLoopError } from '../domain/errors.ts';
import type { NotRestored, RestorePlan } from '../domain/restore-plan.ts';
import { allEnded } from '../io/all-ended.ts';
import { applySteps } from './apply-steps.ts';
import { chooseStages } from './choose-stages.ts';
import { realFolder } from './disk-path.ts';
import { prepareSteps, refuseMoved } from './prepare-steps.ts';
import {
  isNoted,
  noteStages,
  prepareNote,
  type RestoreNote,
  readNotes,
  removeNotes,
  type StageNote,
} from './restore-journal.ts';
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
  /** Is done by when the first file is replaced; where it fails, none is. */
  readonly beside?: () => Promise<void>;
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
  const { applying, staging } = readNotes(journal);
  if (applying.length + staging.length > 0) {
    throw new DevLoopError('restore_pending', 'an earlier restore did not end yet', { data: { journal } });
  }
  if (plan.files.length === 0 && plan.folders.length === 0) return { id, changed: 0, skipped: [] };
  const root = realFolder(request.root);
  const stages = chooseStages(root, id, plan);
  const folders = [...new Set(stages.values())];
  const note: StageNote = { schema: 1, id, root, stages: folders };
  await noteStages(journal, note);
  const beside = request.beside?.();
  // A failure is met when the stage is whole; until then it must not count as unhandled.
  beside?.catch(() => undefined);
  const underWay: (Promise<unknown> | undefined)[] = [beside];
  let begun = false;
  try {
    const { staged, synced } = await stageFiles({ ...request, root, stages, folders });
    underWay.push(synced);
    const steps = prepareSteps(root, plan, staged, folders);
    const ready = prepareNote(journal, { ...note, steps });
    underWay.push(ready.synced);
    // Side by side, so that the disk is waited for once.
    await allEnded<unknown>(underWay);
    refuseMoved(root, steps);
    ready.publish();
    begun = true;
    return await finish(journal, { ...note, steps });
  } catch (error) {
    await Promise.allSettled(underWay);
    // Also where all was written, and only the note's end was refused.
    if (begun || isNoted(journal, id)) throw pending(id, error);
    await giveUp(journal, note);
    throw error;
  }
}

/**
 * Carries on what a killed process began, and drops what it only prepared. Called before anything else touches the root.
 * @param root absolute path of where the folder is now, where it may have been moved since
 */
export async function finishWriteBacks(journal: string, root?: string): Promise<readonly WriteBackReport[]> {
  const { applying, staging } = readNotes(journal);
  const moved = root === undefined ? {} : { root: realFolder(root) };
  for (const note of staging) await giveUp(journal, { ...note, ...moved });
  const reports: WriteBackReport[] = [];
  for (const note of applying) reports.push(await finish(journal, { ...note, ...moved }, { resumed: true }));
  return reports;
}

function pending(id: string, cause: unknown): DevLoopError {
  return new DevLoopError('restore_pending', 'the restore began and could not end; it goes on at the next start', {
    data: { id },
    cause,
  });
}

async function finish(
  journal: string,
  note: RestoreNote,
  options: { readonly resumed?: boolean } = {},
): Promise<WriteBackReport> {
  const { id, root, stages, steps } = note;
  const { done, skipped } = await applySteps(root, stages, steps, options);
  await giveUp(journal, note);
  return { id, changed: done, skipped };
}

/** A note without its stage is harmless, a stage without its note would stay: so the notes go last. */
async function giveUp(journal: string, { id, root, stages }: StageNote): Promise<void> {
  await dropStages(root, stages);
  removeNotes(journal, id);
}
