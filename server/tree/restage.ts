import { closeSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { type BytePath, baseName, parentPath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { FolderCursor, type OpenFolder } from './open-folder.ts';
import type { FoundNote } from './restore-journal.ts';
import { secondStages } from './restore-stage.ts';
import type { Expected, MadeAgain, Staged, Step } from './restore-steps.ts';
import { isWhatWasSeen, kindOf, linkedInodes } from './seen-same.ts';
import { stageFiles } from './stage-files.ts';

/** Reads a blob. */
export type ReadAgain = (oid: Oid) => Promise<Uint8Array>;

type Placing = Extract<Step, { do: 'place' }>;

/**
 * Makes those files again whose bytes the disk need not have had when a note's steps were begun, unless they are in their places
 * and whole: they wait in stages of their own, durable when it resolves.
 * @returns the steps by what is in the files' places now
 */
export async function restage(note: FoundNote, read: ReadAgain | undefined): Promise<readonly Step[]> {
  const found = findKept(note);
  if (found.size === 0) return note.steps;
  if (read === undefined) throw new Error('a restore is carried on without the contents that were kept for it');
  const wanted = [...found.values()].filter(({ verdict }) => verdict === 'make');
  const folders = secondStages(note.stages);
  const { staged, synced } = await stageFiles({
    root: note.root,
    plan: planOf(wanted),
    stages: new Map(wanted.map(({ path, folder }) => [path, folders[folder] ?? ('' as BytePath)])),
    folders: wanted.length === 0 ? [] : folders,
    modes: 'exact',
    read: ({ oid }) => read(oid as Oid),
  });
  await synced;
  return note.steps.map((step) => (step.do === 'place' ? renewed(step, found.get(step.path), { note, staged }) : step));
}

interface Found {
  readonly path: BytePath;
  readonly folder: number;
  readonly again: MadeAgain;
  readonly now: Stats | undefined;
  readonly verdict: Verdict;
}

/** `there`: in its place and whole; `leave`: somebody has changed it since. */
type Verdict = 'make' | 'there' | 'leave';

function findKept({ root, steps, isPlaced }: FoundNote): ReadonlyMap<BytePath, Found> {
  const linked = linkedInodes(steps);
  const found = new Map<BytePath, Found>();
  // What was in its place and is not there was taken away by somebody, or else by a power cut.
  const absent = isPlaced ? 'leave' : 'make';
  const cursor = new FolderCursor(root);
  try {
    for (const step of steps) {
      if (step.do !== 'place' || step.staged.again === undefined) continue;
      const { path, staged } = step;
      const parent = cursor.go(parentPath(path));
      const now = parent?.look(baseName(path));
      const verdict =
        parent === undefined || now === undefined ? absent : judge(step, step.staged.again, { parent, now, linked });
      found.set(path, { path, folder: staged.folder, again: step.staged.again, now, verdict });
    }
    return found;
  } finally {
    cursor.close();
  }
}

interface Seen {
  readonly parent: OpenFolder;
  readonly now: Stats;
  readonly linked: ReadonlySet<number>;
}

/** What is there is replaced where nobody can have changed it after the steps were begun. */
function judge(step: Placing, again: MadeAgain, { parent, now, linked }: Seen): Verdict {
  if (isWhatWasSeen(now, step.from, linked)) return 'make';
  if (isWhole(parent, baseName(step.path), now, again)) return 'there';
  if (kindOf(now) === 'other') return 'leave';
  // The new file itself, of which a power cut has taken a part: whoever writes to it gives it a later time, and who unpacks an
  // old file in its place may get its inode, but not before its time.
  if (now.ino === step.staged.ino && now.mtimeMs <= again.mtime && now.birthtimeMs <= again.mtime) return 'make';
  // An earlier state than the plan saw, which a power cut has brought back, or a part of what it saw.
  return now.ctimeMs < again.ctime || (step.from !== undefined && now.ctimeMs <= step.from.ctime) ? 'make' : 'leave';
}

function isWhole(parent: OpenFolder, name: string, now: Stats, { kind, oid }: MadeAgain): boolean {
  if (kindOf(now) !== kind) return false;
  const content = kind === 'link' ? readlinkSync(parent.at(name), { encoding: 'buffer' }) : contentOf(parent, name);
  return content !== undefined && hashObject('blob', content) === oid;
}

function contentOf(parent: OpenFolder, name: string): Buffer | undefined {
  const fd = parent.open(name);
  if (fd === undefined) return undefined;
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function planOf(wanted: readonly Found[]): RestorePlan {
  const files = wanted.map(({ path, again: { kind, mode, oid } }) => ({
    kind: 'add' as const,
    path,
    to: { kind, mode, oid, name: baseName(path) },
  }));
  return { files, folders: [], kept: [], blocked: [] };
}

interface Renewing {
  readonly note: FoundNote;
  readonly staged: ReadonlyMap<BytePath, Staged>;
}

function renewed(step: Placing, found: Found | undefined, { note, staged }: Renewing): Step {
  if (found === undefined || found.verdict === 'leave') return step;
  const { do: place, path } = step;
  if (found.verdict === 'there') return { ...step, staged: { ...step.staged, ino: found.now?.ino ?? 0 } };
  const fresh = staged.get(path);
  if (fresh === undefined) throw new DevLoopError('internal', `nothing was staged for ${path}`);
  const from = found.now && expected(found.now);
  return { do: place, path, ...(from && { from }), staged: { ...fresh, folder: note.stages.length + fresh.folder } };
}

function expected(now: Stats): Expected {
  const kind = kindOf(now) === 'link' ? 'link' : 'file';
  return { kind, size: now.size, mtime: now.mtimeMs, ctime: now.ctimeMs, ino: now.ino };
}
