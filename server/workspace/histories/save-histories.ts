import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type BytePath, fromPathText } from '../../domain/byte-path.ts';
import { DevLoopError, isDevLoopError } from '../../domain/errors.ts';
import type { NestedRepository, Point } from '../../domain/point.ts';
import { bundleOf } from '../../git/bundle.ts';
import { ensureShadowDir } from '../../git/shadow-dir.ts';
import { removeTree } from '../../io/remove-tree.ts';
import type { LargeFile } from '../objects/large-objects.ts';
import type { OpenWorkspace } from '../open-workspace.ts';
import { settleObjects } from '../settle-objects.ts';
import type { Locked } from '../workspace-lock.ts';
import { encrypted } from './age.ts';
import { type HistorySource, historySource } from './history-source.ts';

/** What a manifest says of a repository's history. */
export type HistoryPart = Pick<NestedRepository, 'git_history_saved' | 'history' | 'history_left_out' | 'remotes'>;

/**
 * Saves the git histories of repositories in the workspace where its settings say so: one encrypted bundle for each state of
 * the refs, among the large files. What cannot be saved is named in its row; the files themselves are kept all the same.
 */
export async function saveHistories(
  workspace: Locked<OpenWorkspace>,
  paths: readonly BytePath[],
  { last, signal }: { readonly last: Point | undefined; readonly signal: AbortSignal | undefined },
): Promise<ReadonlyMap<BytePath, HistoryPart>> {
  const { settings } = workspace.file;
  const parts = new Map<BytePath, HistoryPart>();
  if (!settings.nested_history) return parts;
  for (const path of paths) {
    signal?.throwIfAborted();
    const source = historySource(workspace.root, path, settings);
    parts.set(path, typeof source === 'string' ? leftOut(source) : await saveOne(workspace, source, { last, signal }));
  }
  const files = [...parts.values()].flatMap(({ history }) => history ?? []);
  const [lost] = await settleObjects(workspace, files, signal);
  if (lost === undefined) return parts;
  throw new DevLoopError('store_damaged', `the history ${lost.sha256} was kept and is not there`, {
    data: { ...lost },
  });
}

const leftOut = (reason: string): HistoryPart => ({ git_history_saved: false, history_left_out: reason });

interface Saving {
  readonly last: Point | undefined;
  readonly signal: AbortSignal | undefined;
}

async function saveOne(
  workspace: OpenWorkspace,
  source: HistorySource,
  { last, signal }: Saving,
): Promise<HistoryPart> {
  const { key, refs, remotes } = source;
  const part = { git_history_saved: true, ...(remotes !== undefined && { remotes: [...remotes] }) };
  const known = last?.nested.find(({ history }) => history?.key === key)?.history;
  if (known !== undefined && (await workspace.large().sizeOf(known.sha256, signal)) === known.size)
    return { ...part, history: known };
  try {
    const file = await makeBundle(workspace, source, signal);
    return { ...part, history: { key, ...file, refs: refs.size } };
  } catch (error) {
    if (isDevLoopError(error, 'timeout')) return leftOut('timeout');
    if (isDevLoopError(error, 'git_failed', 'vault_damaged', 'vault_tampered', 'object_missing'))
      return leftOut('damaged');
    throw error;
  }
}

/** git reads the objects through a git dir of ours, so that nothing which the repository configures is in its reach. */
async function makeBundle(workspace: OpenWorkspace, source: HistorySource, signal?: AbortSignal): Promise<LargeFile> {
  const { spool, store, file } = workspace;
  const stateDir = join(store, 'shadows', createHash('sha256').update(source.common).digest('hex').slice(0, 16));
  const shadow = ensureShadowDir({ gitDir: source.common, stateDir });
  try {
    const bundle = bundleOf(shadow, source.refs, signal);
    return await spool.add(encrypted(bundle, file.settings.history_recipients ?? []));
  } finally {
    await removeTree(stateDir);
  }
}

/** Puts what is known of histories into the rows of a manifest. */
export function withHistories(
  rows: readonly NestedRepository[],
  parts: ReadonlyMap<BytePath, HistoryPart>,
): NestedRepository[] {
  return rows.map((row) => ({ ...row, ...parts.get(fromPathText(row)) }));
}
