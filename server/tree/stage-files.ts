import type { BytePath } from '../domain/byte-path.ts';
import type { TreeFile } from '../domain/file-tree.ts';
import type { FileStep, RestorePlan } from '../domain/restore-plan.ts';
import { allEnded } from '../io/all-ended.ts';
import { syncSoon } from '../io/sync-soon.ts';
import type { OpenFolder } from './open-folder.ts';
import { openStages, type ReadFile, type StagedFile, type StagePlace, stageFile } from './restore-stage.ts';
import type { Staged } from './restore-steps.ts';

export interface Staging {
  readonly root: string;
  readonly plan: RestorePlan;
  /** The stage folder of each new file. */
  readonly stages: ReadonlyMap<BytePath, BytePath>;
  readonly folders: readonly BytePath[];
  readonly modes: 'git' | 'exact';
  readonly read: ReadFile;
  /** True for contents that can be read again by their ids whenever the steps are carried on: the disk is not waited for. */
  readonly kept?: ((file: TreeFile, path: BytePath) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StagedFiles {
  readonly staged: ReadonlyMap<BytePath, Staged>;
  /** Resolves when all of them that are not kept elsewhere, and their names, are on the disk. */
  readonly synced: Promise<unknown>;
}

/** Files that are written at once; twice as many are on their way to the disk. */
const BATCH = 64;

/** Writes every new file whole, where nobody takes it for a file of the folder yet. */
export async function stageFiles(staging: Staging): Promise<StagedFiles> {
  const folders = openStages(staging.root, staging.folders);
  try {
    const { staged, synced } = await writeAll(staging, folders);
    const names = [...staged.values()].every(({ again }) => again) ? [] : folders;
    const all = allEnded<unknown>([synced, ...names.map(({ fd }) => syncSoon(fd))]).finally(() => closeAll(folders));
    handled(all);
    return { staged, synced: all };
  } catch (error) {
    closeAll(folders);
    throw error;
  }
}

async function writeAll(staging: Staging, folders: readonly OpenFolder[]): Promise<StagedFiles> {
  const files = staging.plan.files.filter(({ path }) => staging.stages.has(path));
  const staged = new Map<BytePath, Staged>();
  let synced: Promise<unknown> = Promise.resolve();
  try {
    for (let i = 0; i < files.length; i += BATCH) {
      staging.signal?.throwIfAborted();
      const batch = files.slice(i, i + BATCH).map((step, j) => ({ step, place: placeOf(step, String(i + j)) }));
      const before = synced;
      const written = await writeBatch(batch, staging);
      synced = allEnded([before, written.synced]);
      handled(synced);
      for (const [path, file] of written.staged) staged.set(path, file);
      await before;
    }
    return { staged, synced };
  } catch (error) {
    await Promise.allSettled([synced]);
    throw error;
  }

  function placeOf({ path }: FileStep, name: string): StagePlace {
    const index = staging.folders.indexOf(staging.stages.get(path) ?? ('' as BytePath));
    const folder = folders[index];
    if (folder === undefined) throw new Error(`there is no stage for ${path}`);
    return { folder, index, name };
  }
}

/** All are made before the first is synced: what the disk is at work on holds up new names. */
async function writeBatch(
  batch: readonly { readonly step: FileStep; readonly place: StagePlace }[],
  staging: Staging,
): Promise<StagedFiles> {
  const files = await Promise.allSettled(batch.map(({ step, place }) => stageStep(step, place, staging)));
  const synced = allEnded(files.map((file) => (file.status === 'fulfilled' ? file.value.sync() : undefined)));
  handled(synced);
  if (files.some(({ status }) => status === 'rejected')) await Promise.allSettled([synced]);
  const staged = new Map<BytePath, Staged>();
  for (const [i, file] of files.entries()) {
    if (file.status === 'rejected') throw file.reason;
    const { sync: _, ...rest } = file.value;
    staged.set(batch[i]?.step.path ?? ('' as BytePath), rest);
  }
  return { staged, synced };
}

/** A failure is met by who waits for it; until then it must not count as unhandled. */
function handled(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

async function stageStep(
  { path, to }: FileStep,
  place: StagePlace,
  { read, modes, kept }: Pick<Staging, 'read' | 'modes' | 'kept'>,
): Promise<StagedFile> {
  if (to === undefined) throw new Error(`nothing is to be placed at ${path}`);
  // What its owner may not read cannot be opened again to be made durable.
  const isKept = to.oid !== undefined && kept?.(to, path) === true && (to.kind === 'link' || (to.mode & 0o400) !== 0);
  return stageFile(place, { file: to, content: await read(to, path), modes, isKept });
}

function closeAll(folders: readonly OpenFolder[]): void {
  for (const folder of folders) folder.close();
}
