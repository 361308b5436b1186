import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { BytePath } from '../domain/byte-path.ts';
import { entryAt, type TreeFile, type TreeFolder } from '../domain/file-tree.ts';
import type { RescueId } from '../domain/ids.ts';
import { type NotRestored, planRestore, type RestorePlan, type SeenFolder } from '../domain/restore-plan.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { finishWriteBacks, type WriteBackReport, writeBack } from '../tree/index.ts';
import type { Rescued } from './keep-rescue.ts';
import type { LockedVault } from './open-vault.ts';

/** What was done to the files. */
export interface Restored {
  /** Holds what was overwritten or deleted. */
  readonly rescue?: RescueId;
  /** Differs still, with the reason. */
  readonly left: readonly NotRestored[];
}

export interface FilesWanted {
  readonly now: SeenFolder;
  readonly target: TreeFolder;
  readonly modes: 'git' | 'exact';
  /** Why a path stays as it is; undefined where it is written. */
  readonly keep: (path: BytePath) => string | undefined;
  readonly read: (file: TreeFile) => Promise<Uint8Array>;
  /** Keeps what the plan overwrites or deletes. Called before anything is written; undefined where main has all of it. */
  readonly rescue: (plan: RestorePlan) => Promise<Rescued | undefined>;
}

/** Makes files equal to a tree; first what this overwrites is kept. What could not be kept stays as it is, and is named. */
export async function writeFiles(vault: LockedVault, wanted: FilesWanted): Promise<Restored> {
  await finishRestores(vault);
  const { now, target, modes, keep, read } = wanted;
  const whole = planRestore(now, target, { modes, keep });
  if (isEmpty(whole)) return { left: leftBy(whole) };
  const rescued = await wanted.rescue(whole);
  const unkept = rescued === undefined ? new Set() : unkeptBy(whole, rescued);
  const plan =
    unkept.size === 0
      ? whole
      : planRestore(now, target, { modes, keep: (path) => (unkept.has(path) ? UNKEPT : keep(path)) });
  const left = leftBy(plan);
  const rescue = rescued?.id;
  if (isEmpty(plan)) return { ...(rescue && { rescue }), left };
  const id = randomBytes(6).toString('hex');
  try {
    const { skipped } = await writeBack({ id, root: vault.root, journal: journalOf(vault), plan, modes, read });
    return { ...(rescue && { rescue }), left: [...left, ...skipped] };
  } catch (error) {
    throw systemRefusal(error, { doing: `writing files of project ${vault.pid}`, data: { pid: vault.pid } });
  }
}

const isEmpty = ({ files, folders }: RestorePlan): boolean => files.length === 0 && folders.length === 0;

const leftBy = ({ kept, blocked }: RestorePlan): readonly NotRestored[] => [
  ...kept.filter(({ reason }) => reason !== NOT_ASKED),
  ...blocked,
];

/** What was looked at and is not in the rescue: it could not be read a second time, or is another by now. */
function unkeptBy({ files }: RestorePlan, { tree }: Rescued): ReadonlySet<BytePath> {
  const unkept = files.filter(({ path, from }) => from !== undefined && !isIn(tree, path, from));
  return new Set(unkept.map(({ path }) => path));
}

const UNKEPT = 'what is there could not be kept';

/** The reason why a path stays as it is without being worth a word. */
export const NOT_ASKED = 'not_asked';

/** Carries on what a killed server began to write. */
export function finishRestores(vault: LockedVault): Promise<readonly WriteBackReport[]> {
  return finishWriteBacks(journalOf(vault), vault.root);
}

const journalOf = ({ state }: LockedVault): string => join(state, 'restore');

/** True where a tree has the very content that a plan's step replaces. */
export function isIn(tree: TreeFolder, path: BytePath, file: TreeFile): boolean {
  const entry = entryAt(tree, path);
  return entry?.kind === file.kind && entry.oid === file.oid;
}
