import { randomBytes } from 'node:crypto';
import { lstatSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DevLoopError } from '../../domain/errors.ts';
import type { NestedRepository } from '../../domain/point.ts';
import { removeTree } from '../../io/remove-tree.ts';
import { syncFolder } from '../../io/write-atomic.ts';
import type { OpenWorkspace } from '../open-workspace.ts';
import { decrypted } from './age.ts';
import { unpackHistory } from './unpack-history.ts';

export interface RestoredHistory {
  /** Absolute path of the new git dir. */
  readonly git_dir: string;
  readonly refs: number;
}

/**
 * Writes a saved history as a new git dir: whole, or not at all, and never over anything.
 * @param row of a point, with its history
 * @throws DevLoopError not_found, conflict, permission_denied (wrong key), store_damaged
 */
export async function restoreHistory(
  workspace: OpenWorkspace,
  row: NestedRepository,
  { to, identities }: { readonly to: string; readonly identities: readonly string[] },
): Promise<RestoredHistory> {
  const { history } = row;
  if (history === undefined) throw notSaved(row);
  refuseTaken(to);
  const made = join(dirname(to), `.${basename(to)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const content = decrypted(workspace.large().read(history), identities);
    const refs = await unpackHistory(made, { row, content, bare: basename(to) !== '.git' });
    refuseTaken(to);
    renameSync(made, to);
    syncFolder(dirname(to));
    return { git_dir: to, refs };
  } finally {
    if (lstatSync(made, { throwIfNoEntry: false }) !== undefined) await removeTree(made);
  }
}

/** What a history is called that is not there. */
export function notSaved({
  path,
  history_left_out,
}: Pick<NestedRepository, 'path' | 'history_left_out'>): DevLoopError {
  const why = history_left_out === undefined ? '' : `: ${history_left_out}`;
  return new DevLoopError('not_found', `the point holds no git history of ${path === '' ? '.' : path}${why}`, {
    hint: 'Points hold histories where the setting nested_history is on.',
  });
}

function refuseTaken(to: string): void {
  if (lstatSync(dirname(to), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new DevLoopError('not_found', `there is no folder ${dirname(to)}`, { data: { to } });
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined) return;
  throw new DevLoopError('conflict', `${to} is there already`, {
    data: { to },
    hint: 'A history is only ever written beside what is there. Choose another name, or move that away first.',
  });
}
