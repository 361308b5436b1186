import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import type { CommitObject } from '../git/objects/commit-format.ts';
import { readCommit } from './commit-info.ts';
import type { OpenVault } from './open-vault.ts';
import { entryKeyAt } from './read-tree.ts';

/** What a commit must have to be listed; all that is given. */
export interface FilterQuery {
  /** ISO 8601; commits older than it are left out. */
  readonly since?: string;
  /** Plain text in the message, case ignored. */
  readonly grep?: string;
  /** Only what changed this file, or something below this folder. */
  readonly path?: BytePath;
  /** Plain text in the author's name or email, case ignored. */
  readonly author?: string;
}

export type CommitFilter = (commit: CommitObject) => Promise<boolean>;

/** Makes the test for a query; undefined where every commit passes. Throws validation_failed. */
export function commitFilter(vault: OpenVault, { since, grep, author, path }: FilterQuery): CommitFilter | undefined {
  const least = since && parseTime(since) / 1000;
  const [text, name] = [grep?.toLowerCase(), author?.toLowerCase()];
  if (!least && !text && !name && !path) return undefined;
  const isChanged = path ? changesAt(vault, path) : undefined;
  return async (commit) => {
    const { author: by, committer, message } = commit;
    if (least && committer.seconds < least) return false;
    if (text && !message.toLowerCase().includes(text)) return false;
    if (name && !`${by.name} <${by.email}>`.toLowerCase().includes(name)) return false;
    return isChanged === undefined || isChanged(commit);
  };
}

/** A commit changed what none of its parents has; a first one, what it brought. */
function changesAt(vault: OpenVault, path: BytePath): CommitFilter {
  const known = new Map<Oid, Promise<string | undefined>>();
  const entryOf = (tree: Oid): Promise<string | undefined> => {
    const entry = known.get(tree) ?? entryKeyAt(vault, tree, path);
    known.set(tree, entry);
    return entry;
  };
  return async ({ tree, parents }) => {
    const before = await Promise.all(parents.map(async (parent) => entryOf((await readCommit(vault, parent)).tree)));
    const now = await entryOf(tree);
    return parents.length === 0 ? now !== undefined : before.every((entry) => entry !== now);
  };
}

function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new DevLoopError('validation_failed', `${JSON.stringify(text)} is not a time`, { data: { field: 'since' } });
  return time;
}
