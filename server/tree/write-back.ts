import { realpathSync } from 'node:fs';
import { type BytePath, baseName, parentPath, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { FileStep, NotRestored, RestorePlan } from '../domain/restore-plan.ts';
import { applySteps, movedSince } from './apply-steps.ts';
import { FolderCursor } from './open-folder.ts';
import { type RestoreNote, readNotes, removeNote, writeNote } from './restore-journal.ts';
import { chooseStages, dropStage, openStages, type ReadFile, type StagePlace, stageFile } from './restore-stage.ts';
import { needsContent, orderSteps, type Staged, type Step } from './restore-steps.ts';
import { shutFolders } from './shut-folders.ts';

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
 * @throws DevLoopError restore_pending beside one that did not end, plan_stale where the disk has moved on (nothing was
 * written then); what the disk refuses while new files are staged is thrown as it is, and nothing was written either
 */
export async function writeBack(request: WriteBack): Promise<WriteBackReport> {
  const { id, journal, plan } = request;
  if (readNotes(journal).length > 0) {
    throw new DevLoopError('restore_pending', 'an earlier restore did not end yet', { data: { journal } });
  }
  if (plan.files.length === 0 && plan.folders.length === 0) return { id, changed: 0, skipped: [] };
  const root = realpathSync.native(request.root);
  const stages = chooseStages(
    root,
    id,
    plan.files.filter(needsContent).map(({ path }) => path),
  );
  const folders = [...new Set(stages.values())];
  const note: RestoreNote = { schema: 1, id, root, state: 'staging', stages: folders, steps: [] };
  writeNote(journal, note);
  const ready = await stageAll(note, { ...request, root }, stages).catch((error: unknown) => {
    giveUp(journal, note);
    throw error;
  });
  writeNote(journal, ready);
  return finish(journal, ready);
}

/** Carries on what a killed process began, and drops what it only prepared. Called before anything else touches the root. */
export function finishWriteBacks(journal: string): readonly WriteBackReport[] {
  return readNotes(journal).flatMap((note) => {
    if (note.state === 'applying') return [finish(journal, note)];
    giveUp(journal, note);
    return [];
  });
}

/** Files that are written at once. */
const BATCH = 32;

async function stageAll(
  note: RestoreNote,
  request: WriteBack,
  stages: ReadonlyMap<BytePath, BytePath>,
): Promise<RestoreNote> {
  const steps = request.plan.files.filter(needsContent);
  const folders = openStages(request.root, note.stages);
  const staged = new Map<BytePath, Staged>();
  const stageOne = async (step: FileStep, name: string): Promise<void> => {
    const index = note.stages.indexOf(stages.get(step.path) ?? ('' as BytePath));
    const folder = folders[index];
    if (folder !== undefined) staged.set(step.path, await stageStep(step, { folder, index, name }, request));
  };
  try {
    for (let i = 0; i < steps.length; i += BATCH) {
      request.signal?.throwIfAborted();
      await settled(steps.slice(i, i + BATCH).map((step, j) => stageOne(step, String(i + j))));
    }
    for (const folder of folders) folder.sync();
  } finally {
    for (const folder of folders) folder.close();
  }
  const ordered = orderSteps(request.plan, staged, shutFolders(request.root, request.plan));
  refuseMoved(request.root, ordered);
  return { ...note, state: 'applying', steps: ordered };
}

async function stageStep({ path, to }: FileStep, place: StagePlace, { read, modes }: WriteBack): Promise<Staged> {
  if (to === undefined) throw new Error(`nothing is to be placed at ${path}`);
  return stageFile(place, { file: to, content: await read(to, path), modes });
}

/** Waits for all, so that nothing is written any more when the first failure is thrown. */
async function settled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}

function refuseMoved(root: string, steps: readonly Step[]): void {
  const moved = movedSince(root, steps);
  if (moved.length === 0) return;
  throw new DevLoopError('plan_stale', `${moved.length} paths were changed since the plan was made`, {
    data: { moved: moved.map(pathText) },
    hint: 'Make a new plan.',
  });
}

function finish(journal: string, note: RestoreNote): WriteBackReport {
  const { id, root, stages, steps } = note;
  const { done, skipped } = applySteps(root, stages, steps);
  // A note without its stage is harmless, a stage without its note would stay: so the note goes last.
  giveUp(journal, note);
  return { id, changed: done, skipped };
}

function giveUp(journal: string, { id, root, stages }: RestoreNote): void {
  const cursor = new FolderCursor(root);
  try {
    for (const stage of stages) {
      const parent = cursor.go(parentPath(stage));
      if (parent !== undefined) dropStage(parent, baseName(stage));
      cursor.reset();
    }
  } finally {
    cursor.close();
  }
  removeNote(journal, id);
}
