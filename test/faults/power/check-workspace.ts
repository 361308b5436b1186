import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { Acknowledged, FileChange } from './acknowledged.ts';
import { contentAt, openLab, userRoot } from './workspace-lab.ts';

/**
 * Starts on what a cut has left: what a restore was said to have brought back is there unless it was changed since, what a person changed
 * and synced after it is there too, one that was under way has done all or nothing, and the store is whole.
 * @param told what was said by then; what was said next, if it was, may have begun
 */
export async function checkWorkspace(
  folder: string,
  told: readonly Acknowledged[],
  next: Acknowledged | undefined,
): Promise<void> {
  if (told.length === 0) return;
  const workspace = openLab(folder);
  await workspace.takePoint({ reason: 'after the cut' });
  const left = readdirSync(userRoot(folder)).filter((name) => name.startsWith('.devloop'));
  assert.deepEqual(left, [], 'no stage is left');
  assert.deepEqual((await workspace.verify()).problems, []);
  const said = next?.kind === 'will' ? [...told, next] : told;
  const { certain, underWay } = expected(said);
  for (const [path, content] of certain) {
    const now = contentAt(folder, path);
    assert.ok(now === content, `${path} is ${shown(now)} and not ${shown(content)}: ${story(path, said)}`);
  }
  if (underWay !== undefined) allOrNothing(folder, underWay, said);
  const [last] = workspace.restores();
  if (last !== undefined) await workspace.undoRestore();
  await workspace.close();
}

interface Expected {
  readonly certain: ReadonlyMap<string, string | undefined>;
  /** What a restore that nobody was told of may have done; where the content before is certain. */
  readonly underWay: readonly FileChange[] | undefined;
}

function expected(said: readonly Acknowledged[]): Expected {
  const certain = new Map<string, string | undefined>();
  let underWay: readonly FileChange[] | undefined;
  let known: readonly string[] = [];
  for (const [i, one] of said.entries()) {
    if (one.kind === 'will') {
      known = one.files.filter(({ path }) => certain.has(path)).map(({ path }) => path);
      for (const { path } of one.files) certain.delete(path);
      underWay = one.by === 'restore' ? one.files.filter(({ path }) => known.includes(path)) : undefined;
    }
    if (one.kind !== 'did') continue;
    underWay = undefined;
    const will = said[i - 1];
    if (will?.kind !== 'will' || !one.isDurable) continue;
    for (const { path, after } of will.files) certain.set(path, after);
  }
  return { certain, underWay };
}

function allOrNothing(folder: string, files: readonly FileChange[], said: readonly Acknowledged[]): void {
  const states = files.map(({ path, before, after }) => {
    const now = contentAt(folder, path);
    return now === before ? 'before' : now === after ? 'after' : `${path} is ${shown(now)}: ${story(path, said)}`;
  });
  assert.ok(new Set(states).size <= 1 && states.every((state) => /^(before|after)$/.test(state)), states.join(', '));
}

/** What was said of a file, for a person who looks for the cause. */
function story(path: string, said: readonly Acknowledged[]): string {
  const acts = said.flatMap((one, i) => {
    if (one.kind !== 'will') return [];
    const file = one.files.find((each) => each.path === path);
    const did = said[i + 1];
    const end = did?.kind === 'did' ? (did.isDurable ? 'durably' : 'done') : 'begun';
    return file ? [`${i}/${said.length} ${one.by} ${shown(file.before)} -> ${shown(file.after)} ${end}`] : [];
  });
  return acts.slice(-4).join('; ');
}

const shown = (content: string | undefined): string => `${content?.slice(0, 30)} (${content?.length})`;
