import type { BytePath } from '../domain/byte-path.ts';
import type { FileStep, RestorePlan } from '../domain/restore-plan.ts';
import { openStages, type ReadFile, type StagePlace, stageFile } from './restore-stage.ts';
import type { Staged } from './restore-steps.ts';

export interface Staging {
  readonly root: string;
  readonly plan: RestorePlan;
  /** The stage folder of each new file. */
  readonly stages: ReadonlyMap<BytePath, BytePath>;
  readonly folders: readonly BytePath[];
  readonly modes: 'git' | 'exact';
  readonly read: ReadFile;
  readonly signal?: AbortSignal | undefined;
}

/** Files that are written at once. */
const BATCH = 32;

/** Writes every new file whole and durably, where nobody takes it for a file of the folder yet. */
export async function stageFiles(staging: Staging): Promise<ReadonlyMap<BytePath, Staged>> {
  const { root, plan, stages, signal } = staging;
  const files = plan.files.filter(({ path }) => stages.has(path));
  const folders = openStages(root, staging.folders);
  const staged = new Map<BytePath, Staged>();
  const stageOne = async (step: FileStep, name: string): Promise<void> => {
    const index = staging.folders.indexOf(stages.get(step.path) ?? ('' as BytePath));
    const folder = folders[index];
    if (folder !== undefined) staged.set(step.path, await stageStep(step, { folder, index, name }, staging));
  };
  try {
    for (let i = 0; i < files.length; i += BATCH) {
      signal?.throwIfAborted();
      await settled(files.slice(i, i + BATCH).map((step, j) => stageOne(step, String(i + j))));
    }
    for (const folder of folders) folder.sync();
    return staged;
  } finally {
    for (const folder of folders) folder.close();
  }
}

async function stageStep({ path, to }: FileStep, place: StagePlace, { read, modes }: Staging): Promise<Staged> {
  if (to === undefined) throw new Error(`nothing is to be placed at ${path}`);
  return stageFile(place, { file: to, content: await read(to, path), modes });
}

/** Waits for all, so that nothing is written any more when the first failure is thrown. */
async function settled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
