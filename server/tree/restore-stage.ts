import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { type BytePath, baseName, parentPath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { EXECUTABLE_MODE, FILE_MODE, type TreeFile } from '../domain/file-tree.ts';
import { hasCode } from '../io/io-error.ts';
import { syncAndClose } from '../io/sync-soon.ts';
import { writeFully } from '../io/write-atomic.ts';
import { FolderCursor, type OpenFolder } from './open-folder.ts';
import type { MadeAgain, Staged } from './restore-steps.ts';
import { syncSteps } from './sync-steps.ts';

/** Gives the content of a file, or the text of a link. */
export type ReadFile = (file: TreeFile, path: BytePath) => Promise<Content>;
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Makes the stage's folders, for nobody else to look into. The caller closes them. */
export function openStages(root: string, stages: readonly BytePath[]): readonly OpenFolder[] {
  const cursor = new FolderCursor(root);
  const opened: OpenFolder[] = [];
  try {
    for (const stage of stages) {
      const parent = cursor.go(parentPath(stage));
      parent?.make(baseName(stage), 0o700);
      const folder = parent?.child(baseName(stage));
      if (folder === undefined)
        throw new DevLoopError('conflict', 'a folder was changed while files were written to it');
      opened.push(folder);
    }
    return opened;
  } catch (error) {
    for (const folder of opened) folder.close();
    throw error;
  } finally {
    cursor.close();
  }
}

export interface StagePlace {
  readonly folder: OpenFolder;
  readonly index: number;
  readonly name: string;
}

/** A new file in its stage folder, which is open until its bytes are on the disk. */
export interface StagedFile extends Staged {
  sync(): Promise<void>;
}

export interface StageRequest {
  readonly file: TreeFile;
  readonly content: Content;
  /** `exact` gives a file just its permission bits; for `git` the usual ones are left to the process's umask. */
  readonly modes: 'git' | 'exact';
  /** True for what can be made again: its bytes are not waited for. */
  readonly isKept: boolean;
}

/** Writes a whole new file or link into a stage folder. */
export async function stageFile(
  place: StagePlace,
  { file, content, modes, isKept }: StageRequest,
): Promise<StagedFile> {
  const at = place.folder.at(place.name);
  const { index: folder, name } = place;
  if (file.kind === 'link') {
    symlinkSync(Buffer.from(await whole(content)), at);
    return { folder, name, ...known(file, lstatSync(at), isKept), sync: () => Promise.resolve() };
  }
  const usual = { create: file.mode === FILE_MODE ? 0o666 : 0o777 };
  const exact = { create: file.mode & 0o777, exact: file.mode };
  const { fd, stats } = await writeStaged(at, content, modes === 'git' && isUsual(file.mode) ? usual : exact);
  if (isKept) closeSync(fd);
  return { folder, name, ...known(file, stats, isKept), sync: async () => (isKept ? undefined : syncAndClose(fd)) };
}

function known({ kind, mode, oid }: TreeFile, stats: Stats, isKept: boolean): Pick<Staged, 'ino' | 'again'> {
  const { ino, mtimeMs: mtime, ctimeMs: ctime } = stats;
  if (!isKept || oid === undefined || kind === 'gitlink') return { ino };
  return { ino, again: { kind, mode, oid, mtime, ctime } satisfies MadeAgain };
}

const isUsual = (mode: number): boolean => mode === FILE_MODE || mode === EXECUTABLE_MODE;

async function writeStaged(
  at: string | Buffer,
  content: Content,
  mode: { readonly create: number; readonly exact?: number },
): Promise<{ readonly fd: number; readonly stats: Stats }> {
  const fd = openSync(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode.create);
  try {
    if (content instanceof Uint8Array) writeFully(fd, content);
    else for await (const chunk of content) writeFully(fd, chunk);
    const stats = fstatSync(fd);
    // The process's umask may have taken some, and the writing others.
    if (mode.exact !== undefined && (stats.mode & 0o7777) !== mode.exact) fchmodSync(fd, mode.exact);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function whole(content: Content): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The stages of whoever carries steps on. They go with the first ones. */
export const secondStages = (stages: readonly BytePath[]): readonly BytePath[] =>
  stages.map((stage) => `${stage}-again` as BytePath);

/** Deletes the stage's folders with all that is in them, for good when it resolves; nothing where there are none. */
export async function dropStages(root: string, stages: readonly BytePath[]): Promise<void> {
  clearStages(root, stages);
  await syncSteps(root, { files: [], folders: stages.map(parentPath) });
}

/** The same, but a power cut may bring them back. */
export function clearStages(root: string, stages: readonly BytePath[]): void {
  const cursor = new FolderCursor(root);
  try {
    for (const stage of stages) {
      const parent = cursor.go(parentPath(stage));
      if (parent !== undefined) for (const one of [stage, ...secondStages([stage])]) dropStage(parent, baseName(one));
      cursor.reset();
    }
  } finally {
    cursor.close();
  }
}

function dropStage(parent: OpenFolder, name: string): void {
  if (isRemoved(() => rmdirSync(parent.at(name)))) return;
  const folder = parent.child(name);
  if (folder === undefined) return;
  try {
    emptyFolder(folder);
  } finally {
    folder.close();
  }
  rmdirSync(parent.at(name));
}

/** At its end a stage is empty, and there is no second one. */
function isRemoved(remove: () => void): boolean {
  try {
    remove();
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false;
    throw error;
  }
}

function emptyFolder(folder: OpenFolder): void {
  for (const entry of readdirSync(folder.at('.'), { encoding: 'latin1', withFileTypes: true })) {
    if (entry.isDirectory()) dropStage(folder, entry.name);
    else unlinkSync(folder.at(entry.name));
  }
}
