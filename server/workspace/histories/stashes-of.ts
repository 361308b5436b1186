import type { Oid } from '../../domain/ids.ts';
import { openObjectReader } from '../../git/object-reader.ts';
import { parseCommit } from '../../git/objects/commit-format.ts';
import { STASHES } from './history-source.ts';
import type { StashEntry } from './write-git-dir.ts';

/** Reads the stash entries among some refs, oldest first. */
export async function stashesOf(gitDir: string, refs: ReadonlyMap<string, Oid>): Promise<readonly StashEntry[]> {
  const named = [...refs].filter(([name]) => name.startsWith(STASHES));
  if (named.length === 0) return [];
  const reader = openObjectReader(gitDir);
  try {
    const entries: StashEntry[] = [];
    for (const [, oid] of named.sort(([a], [b]) => numberOf(b) - numberOf(a))) {
      const { committer, message } = parseCommit((await reader.read(oid)).content);
      entries.push({ oid, seconds: Math.max(1, committer.seconds), subject: message.split('\n')[0] ?? '' });
    }
    return entries;
  } finally {
    reader.close();
  }
}

const numberOf = (ref: string): number => Number(ref.slice(STASHES.length));
