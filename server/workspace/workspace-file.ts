import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { type WorkspaceFile, workspaceFileSchema } from '../domain/point.ts';
import { hasCode } from '../io/io-error.ts';
import { writeAtomic } from '../io/write-atomic.ts';

/** Reads a workspace's settings; undefined where it has no store yet. Throws `store_damaged`. */
export function readWorkspaceFile(store: string): WorkspaceFile | undefined {
  const path = join(store, 'workspace.json');
  try {
    const parsed = workspaceFileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DevLoopError('store_damaged', `${path} cannot be read`, {
    data: { path },
    hint: 'Remove the file: the points stay, the settings go back to the defaults.',
  });
}

export function writeWorkspaceFile(store: string, file: WorkspaceFile): void {
  writeAtomic(join(store, 'workspace.json'), `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 });
}
