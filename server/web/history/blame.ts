import type { Commit } from '../api/types.ts';
import { type PatchFile, parsePatch } from '../diff/parse-patch.ts';

/** Asks for the patch of one file from a commit's parent to the commit. */
export type PatchOf = (commit: Commit) => Promise<string>;

/**
 * Tells for each line of a file which commit brought it: the commits that changed the file are taken off one after another,
 * newest first, until every line is found. What the first of the list did not bring either stays undefined.
 */
export async function blame(
  lines: number,
  commits: readonly Commit[],
  patchOf: PatchOf,
): Promise<readonly (Commit | undefined)[]> {
  const found: (Commit | undefined)[] = new Array(lines).fill(undefined);
  // Where each line that is still looked for stands in the version at hand; from 1.
  let wanted = new Map(Array.from({ length: lines }, (_, at) => [at, at + 1]));
  for (const commit of commits) {
    if (wanted.size === 0) break;
    if (commit.parents.length === 0) {
      for (const at of wanted.keys()) found[at] = commit;
      break;
    }
    const [file] = parsePatch(await patchOf(commit));
    if (file === undefined) continue;
    const before = lineBefore(file);
    const rest = new Map<number, number>();
    for (const [at, number] of wanted) {
      const old = before(number);
      if (old === undefined) found[at] = commit;
      else rest.set(at, old);
    }
    wanted = rest;
  }
  return found;
}

/** Where a line of the new version stood in the old one; undefined where the patch brought it. */
function lineBefore({ hunks }: PatchFile): (number: number) => number | undefined {
  const added = new Set<number>();
  const places: (readonly [from: number, shift: number])[] = [];
  for (const { old_start, new_start, lines } of hunks) {
    let [old, fresh] = [old_start, new_start];
    // A side of no lines names the line before it.
    if (!lines.some(({ kind }) => kind !== 'add')) old++;
    if (!lines.some(({ kind }) => kind !== 'delete')) fresh++;
    for (const { kind } of lines) {
      if (kind === 'add') added.add(fresh);
      if (kind === 'context') places.push([fresh, old - fresh]);
      if (kind !== 'add') old++;
      if (kind !== 'delete') fresh++;
    }
    places.push([fresh, old - fresh]);
  }
  return (number) => {
    if (added.has(number)) return undefined;
    const shift = places.findLast(([from]) => from <= number)?.[1] ?? 0;
    return number + shift;
  };
}
