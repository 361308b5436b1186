import { chmodSync, fsyncSync, renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { type BytePath, baseName, parentPath } from '../domain/byte-path.ts';
import { unreachable } from '../domain/errors.ts';
import type { NotRestored } from '../domain/restore-plan.ts';
import { allEnded } from '../io/all-ended.ts';
import { hasCode } from '../io/io-error.ts';
import { FolderCursor, type HeldEntry, type OpenFolder } from './open-folder.ts';
import { clearStages } from './restore-stage.ts';
import type { Expected, Step } from './restore-steps.ts';
import { isSame, isWhatWasSeen, linkedInodes } from './seen-same.ts';
import { syncSteps, type Unsynced } from './sync-steps.ts';

export interface AppliedSteps {
  readonly done: number;
  /** Was changed by somebody after the plan was made; it is as they left it. */
  readonly skipped: readonly NotRestored[];
  readonly unsynced: Unsynced;
  /** What was replaced or deleted, and is held until its space may be given back. */
  readonly replaced: readonly HeldEntry[];
}

/** Files that are held at a time: each has a descriptor. */
const MOST_HELD = 32;

/** The changes were decided; whatever of them was done before, where it is resumed, is not done again. The stages go with the last step; `syncSteps` makes all durable. */
export async function applySteps(
  root: string,
  stages: readonly BytePath[],
  steps: readonly Step[],
  { resumed = false }: { readonly resumed?: boolean } = {},
): Promise<AppliedSteps> {
  const hands: Hands = { ...openHands(root), stages, linked: linkedInodes(steps), resumed, replaced: [] };
  const touched = new Set<BytePath>();
  const skipped: NotRestored[] = [];
  const files: { readonly path: BytePath; readonly ino: number }[] = [];
  let done = 0;
  let letGo: Promise<unknown> = Promise.resolve();
  try {
    for (const step of steps) {
      if (step.do === 'remove_folder' || step.do === 'make_folder') hands.target.reset();
      if (hands.replaced.length >= MOST_HELD || step.do === 'remove_folder') {
        await letGo;
        letGo = allEnded(hands.replaced.splice(0).map((held) => held.closeSoon()));
        // On some file systems of other machines a deleted file has a name in its folder for as long as it is held.
        if (step.do === 'remove_folder') await letGo;
      }
      const isShut = step.do === 'folder_mode' && (step.mode & READABLE) !== READABLE;
      // What is in it cannot be opened afterwards.
      if (isShut) {
        await syncSteps(root, { files: files.splice(0), folders: [...touched] });
        touched.clear();
      }
      const outcome = applyStep(step, hands);
      if (outcome === 'done') done++;
      else if (outcome !== 'nothing') skipped.push({ path: step.path, reason: outcome });
      // What was done before a kill may not be on the disk yet.
      if (outcome === 'nothing' && !resumed) continue;
      if (isShut) syncOpen(hands.target.go(step.path));
      else touched.add(step.do === 'folder_mode' ? step.path : parentPath(step.path));
      if (step.do === 'place' && step.staged.again?.kind === 'file')
        files.push({ path: step.path, ino: step.staged.ino });
    }
    clearStages(root, stages);
    return { done, skipped, unsynced: { files, folders: [...touched] }, replaced: hands.replaced };
  } catch (error) {
    for (const held of hands.replaced) held.close();
    throw error;
  } finally {
    hands.target.close();
    hands.stage.close();
    await letGo;
  }
}

/** The owner may list and enter it. */
const READABLE = 0o500;

function syncOpen(folder: OpenFolder | undefined): void {
  if (folder !== undefined) fsyncSync(folder.fd);
}

interface Hands {
  readonly target: FolderCursor;
  readonly stage: FolderCursor;
  readonly stages: readonly BytePath[];
  readonly linked: ReadonlySet<number>;
  readonly resumed: boolean;
  readonly replaced: HeldEntry[];
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

function remove(folder: OpenFolder, name: string, from: Expected, hands: Hands): Outcome {
  const held = folder.hold(name);
  if (held === undefined) return 'nothing';
  try {
    if (!isSame(held.stats, from, hands.linked) && !isBroughtBack(held.stats, from, hands)) return 'changed_meanwhile';
    return unlessChanged(() => unlinkSync(folder.at(name)));
  } finally {
    hands.replaced.push(held);
  }
}

function isToReplace(now: Stats | undefined, from: Expected | undefined, hands: Hands): boolean {
  if (isWhatWasSeen(now, from, hands.linked)) return true;
  return hands.resumed && (now === undefined || (from !== undefined && isBroughtBack(now, from, hands)));
}

/** A power cut can bring an earlier state back, with its times: what a person changes after a restore has later ones. */
function isBroughtBack(now: Stats, from: Expected, { resumed }: Pick<Hands, 'resumed'>): boolean {
  return resumed && now.ctimeMs <= from.ctime;
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
  const held = folder.hold(name);
  try {
    if (held?.stats.ino === step.staged.ino) return 'done';
    if (!isToReplace(held?.stats, step.from, hands)) return 'changed_meanwhile';
    const stage = hands.stage.go(hands.stages[step.staged.folder] ?? ('' as BytePath));
    // What was staged just now is there.
    const isThere = !hands.resumed || stage?.look(step.staged.name)?.ino === step.staged.ino;
    if (stage === undefined || !isThere) return 'changed_meanwhile';
    return unlessChanged(() => renameSync(stage.at(step.staged.name), folder.at(name)));
  } finally {
    if (held !== undefined) hands.replaced.push(held);
  }
}

function setMode(
  folder: OpenFolder,
  name: string,
  { from, mode }: Extract<Step, { do: 'mode' }>,
  hands: Hands,
): Outcome {
  const file = folder.hold(name);
  try {
    if (file === undefined || file.stats.ino !== from.ino || !file.stats.isFile()) return 'changed_meanwhile';
    if ((file.stats.mode & 0o7777) === mode) return 'nothing';
    // Done before, and changed since: a power cut can bring the note of what was done back.
    const isKnown = file.stats.ctimeMs === from.ctime || hands.linked.has(from.ino);
    if (!isKnown && !isBroughtBack(file.stats, from, hands)) return 'changed_meanwhile';
    chmodSync(file.path, mode);
    return 'done';
  } finally {
    file?.close();
  }
}
