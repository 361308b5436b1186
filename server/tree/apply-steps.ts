import { chmodSync, renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { type BytePath, baseName, parentPath } from '../domain/byte-path.ts';
import { unreachable } from '../domain/errors.ts';
import type { NotRestored } from '../domain/restore-plan.ts';
import { allEnded } from '../io/all-ended.ts';
import { hasCode } from '../io/io-error.ts';
import { syncAndClose } from '../io/sync-soon.ts';
import { FolderCursor, type OpenFolder } from './open-folder.ts';
import { type Expected, foldPath, type Step } from './restore-steps.ts';

export interface AppliedSteps {
  readonly done: number;
  /** Was changed by somebody after the plan was made; it is as they left it. */
  readonly skipped: readonly NotRestored[];
}

/** The changes were decided; whatever of them was done before, where it is resumed, is not done again. Durable when it resolves. */
export async function applySteps(
  root: string,
  stages: readonly BytePath[],
  steps: readonly Step[],
  { resumed = false }: { readonly resumed?: boolean } = {},
): Promise<AppliedSteps> {
  const hands = { ...openHands(root), stages, linked: linkedInodes(steps) };
  const touched = new Set<BytePath>();
  const skipped: NotRestored[] = [];
  let done = 0;
  try {
    for (const step of steps) {
      if (step.do === 'remove_folder' || step.do === 'make_folder') hands.target.reset();
      const outcome = applyStep(step, hands);
      if (outcome === 'done') done++;
      else if (outcome !== 'nothing') skipped.push({ path: step.path, reason: outcome });
      // What was done before a kill may not be on the disk yet.
      if (outcome === 'nothing' && !resumed) continue;
      touched.add(step.do === 'folder_mode' ? step.path : parentPath(step.path));
    }
    await syncAll(hands.target, [...touched]);
    return { done, skipped };
  } finally {
    hands.target.close();
    hands.stage.close();
  }
}

/** Finds the steps whose paths are not as the plan saw them. */
export function movedSince(root: string, steps: readonly Step[]): readonly BytePath[] {
  const cursor = new FolderCursor(root);
  // Where case tells no names apart, a file that only changes its case is found under its new name already.
  const going = new Set(steps.filter((step) => step.do === 'delete').map(({ path }) => foldPath(path)));
  const isRenamed = (step: Step): boolean =>
    step.do === 'place' && step.from === undefined && going.has(foldPath(step.path));
  try {
    return steps.filter((step) => !isRenamed(step) && !isAsSeen(cursor, step)).map(({ path }) => path);
  } finally {
    cursor.close();
  }
}

interface Hands {
  readonly target: FolderCursor;
  readonly stage: FolderCursor;
  readonly stages: readonly BytePath[];
  readonly linked: ReadonlySet<number>;
}

function openHands(root: string): Pick<Hands, 'target' | 'stage'> {
  const target = new FolderCursor(root);
  try {
    return { target, stage: new FolderCursor(root) };
  } catch (error) {
    target.close();
    throw error;
  }
}

/** Files that several steps name, as hard links: a step on one name changes the time that the others have. */
function linkedInodes(steps: readonly Step[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const linked = new Set<number>();
  for (const step of steps) {
    const ino = 'from' in step ? step.from?.ino : undefined;
    if (ino === undefined) continue;
    if (seen.has(ino)) linked.add(ino);
    seen.add(ino);
  }
  return linked;
}

type Outcome = 'done' | 'nothing' | 'changed_meanwhile' | 'folder_missing';

function applyStep(step: Step, hands: Hands): Outcome {
  const name = baseName(step.path);
  if (step.do === 'open_folder' || step.do === 'folder_mode') return setFolderMode(hands.target, step);
  const folder = hands.target.go(parentPath(step.path));
  if (folder === undefined) return step.do === 'delete' || step.do === 'remove_folder' ? 'nothing' : 'folder_missing';
  switch (step.do) {
    case 'delete':
      return remove(folder, name, step.from, hands);
    case 'remove_folder':
      return removeFolder(folder, name);
    case 'make_folder':
      return makeFolder(folder, name);
    case 'place':
      return place(folder, name, step, hands);
    case 'mode':
      return setMode(folder, name, step, hands);
    default:
      return unreachable(step);
  }
}

function setFolderMode(cursor: FolderCursor, step: Extract<Step, { do: 'open_folder' | 'folder_mode' }>): Outcome {
  const folder = cursor.go(step.path);
  if (folder === undefined) return 'folder_missing';
  const mode = step.do === 'folder_mode' ? step.mode : folder.mode | 0o700;
  if (folder.mode === mode) return 'nothing';
  folder.setMode(mode);
  return 'done';
}

function remove(folder: OpenFolder, name: string, from: Expected, { linked }: Pick<Hands, 'linked'>): Outcome {
  const now = folder.look(name);
  if (now === undefined) return 'nothing';
  if (!isSame(now, from, linked)) return 'changed_meanwhile';
  return unlessChanged(() => unlinkSync(folder.at(name)));
}

/** Somebody put another thing there since it was looked at. */
function unlessChanged(change: () => void): Outcome {
  try {
    change();
    return 'done';
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY')) return 'changed_meanwhile';
    throw error;
  }
}

function removeFolder(folder: OpenFolder, name: string): Outcome {
  try {
    rmdirSync(folder.at(name));
    return 'done';
  } catch (error) {
    // A link or a file in the folder's place is not ours to delete; a folder that is not empty holds what is kept.
    if (hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY')) return 'nothing';
    throw error;
  }
}

function makeFolder(folder: OpenFolder, name: string): Outcome {
  const now = folder.look(name);
  if (now?.isDirectory()) return 'nothing';
  if (now !== undefined) return 'changed_meanwhile';
  return unlessChanged(() => folder.make(name));
}

function place(folder: OpenFolder, name: string, step: Extract<Step, { do: 'place' }>, hands: Hands): Outcome {
  const now = folder.look(name);
  if (now?.ino === step.staged.ino) return 'done';
  if (!isWhatWasSeen(now, step.from, hands.linked)) return 'changed_meanwhile';
  const stage = hands.stage.go(hands.stages[step.staged.folder] ?? ('' as BytePath));
  if (stage?.look(step.staged.name)?.ino !== step.staged.ino) return 'changed_meanwhile';
  return unlessChanged(() => renameSync(stage.at(step.staged.name), folder.at(name)));
}

function setMode(
  folder: OpenFolder,
  name: string,
  { from, mode }: Extract<Step, { do: 'mode' }>,
  { linked }: Pick<Hands, 'linked'>,
): Outcome {
  const file = folder.hold(name);
  try {
    if (file === undefined || file.stats.ino !== from.ino || !file.stats.isFile()) return 'changed_meanwhile';
    if ((file.stats.mode & 0o7777) === mode) return 'nothing';
    // Done before, and changed since: a power cut can bring the note of what was done back.
    if (file.stats.ctimeMs !== from.ctime && !linked.has(from.ino)) return 'changed_meanwhile';
    chmodSync(file.path, mode);
    return 'done';
  } finally {
    file?.close();
  }
}

function isAsSeen(cursor: FolderCursor, step: Step): boolean {
  if (step.do !== 'delete' && step.do !== 'place' && step.do !== 'mode') return true;
  const now = cursor.go(parentPath(step.path))?.look(baseName(step.path));
  if (step.do === 'place' && step.from === undefined) return now === undefined || now.isDirectory();
  return isWhatWasSeen(now, step.from);
}

function isWhatWasSeen(now: Stats | undefined, from: Expected | undefined, linked?: ReadonlySet<number>): boolean {
  return now === undefined || from === undefined ? now === from : isSame(now, from, linked);
}

function isSame(now: Stats, from: Expected, linked?: ReadonlySet<number>): boolean {
  const kind = now.isFile() ? 'file' : now.isSymbolicLink() ? 'link' : 'other';
  return (
    kind === from.kind &&
    now.ino === from.ino &&
    now.size === from.size &&
    now.mtimeMs === from.mtime &&
    (now.ctimeMs === from.ctime || linked?.has(from.ino) === true)
  );
}

/** Folders that are made durable at a time. */
const BATCH = 64;

async function syncAll(cursor: FolderCursor, paths: readonly BytePath[]): Promise<void> {
  for (let i = 0; i < paths.length; i += BATCH) {
    // Each has a descriptor of its own: the cursor closes those it leaves.
    const syncPath = async (path: BytePath): Promise<void> => {
      const fd = cursor.go(path)?.again();
      if (fd !== undefined) await syncAndClose(fd);
    };
    await allEnded(paths.slice(i, i + BATCH).map(syncPath));
  }
}
