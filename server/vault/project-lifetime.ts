import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseCompanyId, parseProjectId } from '../domain/ids.ts';
import { makeFolders } from '../io/make-folders.ts';
import { removeTree } from '../io/remove-tree.ts';
import { syncFolder } from '../io/write-atomic.ts';
import { type ProjectPlace, placeOf, scanProjects } from './project-scan.ts';

// Both begin and end with a rename: .devloop/new/{pid} holds a project until it is whole, .devloop/gone/ what is being
// deleted, under names {cid}~{pid}~{random}, which tell a later start whose state folder goes as well.

/** Makes an empty project's folder, all at once and durably, and the server's own folder for it. */
export function makeProjectFolder(dataDir: string, { pid, root, state }: ProjectPlace): void {
  const fresh = join(dataDir, '.devloop', 'new', pid);
  rmSync(fresh, { recursive: true, force: true });
  for (const name of ['agent-state', 'history']) makeFolders(join(fresh, name));
  makeFolders(state);
  makeFolders(dirname(root));
  renameSync(fresh, root);
  for (const folder of [state, dirname(root), dirname(dirname(root))]) {
    syncFolder(folder);
    syncFolder(dirname(folder));
  }
}

/** Moves a project's folders out of the way, which deletes it for every reader, and then deletes the files. */
export async function removeProjectFolder(dataDir: string, place: ProjectPlace): Promise<void> {
  const gone = goneFolder(dataDir);
  makeFolders(gone);
  const grave = join(gone, [place.cid, place.pid, randomBytes(4).toString('hex')].join('~'));
  renameSync(place.root, grave);
  syncFolder(dirname(place.root));
  await finishRemoval(place, grave);
}

/** Finishes what a killed server left half made or half deleted. */
export async function sweepLeftovers(dataDir: string): Promise<void> {
  rmSync(join(dataDir, '.devloop', 'new'), { recursive: true, force: true });
  for (const { state } of scanProjects(dataDir)) rmSync(stageOf(state), { recursive: true, force: true });
  const gone = goneFolder(dataDir);
  for (const name of existsSync(gone) ? readdirSync(gone) : []) {
    const [cid, pid] = name.split('~');
    await finishRemoval(placeOf(dataDir, parseCompanyId(cid), parseProjectId(pid)), join(gone, name));
  }
}

/** Where files of a project wait until they are whole: never in the project's folder, where they would be dirt. */
export const stageOf = (state: string): string => join(state, 'stage');

const goneFolder = (dataDir: string): string => join(dataDir, '.devloop', 'gone');

async function finishRemoval({ root, state }: ProjectPlace, grave: string): Promise<void> {
  if (existsSync(state) && !existsSync(root)) {
    renameSync(state, `${grave}~state`);
    await removeTree(`${grave}~state`);
  }
  await removeTree(grave);
}
