import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';
import { writeBelow } from '../io/safe-path.ts';

/** A file of the server's own in a project's folder. */
export interface OwnFile {
  /** Its name in the project's folder, as `timeline.ndjson`. */
  readonly name: string;
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** Absolute path of the server's own folder for the project. */
  readonly state: string;
}

/**
 * Keeps bytes that do not belong into a file: in agent-state/torn/, or in the state folder where somebody made that unusable.
 * @returns where, relative to the project's folder or absolute.
 */
export function keepTorn({ name, root, state }: OwnFile, bytes: Uint8Array): string {
  const path = `agent-state/torn/${name}-${unique()}`;
  try {
    writeBelow(root, path, bytes);
    return path;
  } catch (error) {
    if (!hasCode(error, 'path_refused')) throw error;
    const folder = tornFolder(state);
    writeBelow(folder, `${name}-${unique()}`, bytes);
    return folder;
  }
}

/** Moves away whatever has the file's name, be it a link, a folder or a pipe. @returns where, as an absolute path. */
export function moveAside({ name, root, state }: OwnFile): string {
  const target = join(tornFolder(state), `${name}-${unique()}`);
  renameSync(join(root, name), target);
  return target;
}

const unique = (): string => randomBytes(6).toString('hex');

function tornFolder(state: string): string {
  const folder = join(state, 'torn');
  makeFolders(folder);
  return folder;
}
