import { diffArrays } from 'diff';
import { wordsOf } from './word-runs.ts';

/** One row of an alignment: a pair, or what is on one side only. */
export interface Aligned<Item> {
  readonly before?: Item;
  readonly after?: Item;
  readonly same: boolean;
}

const MOST_EDITS = 3_000;
/** Pairs of a stretch that are held against each other. */
const MOST_PAIRS = 40_000;
/** Of the words of both that must be the same. */
const ALIKE = 0.4;

/**
 * Puts two lists side by side: what is the same, then within each stretch that differs what is alike, in order.
 * Where too much differs, the ends that are the same are kept and the rest is paired as it comes.
 */
export function align<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Aligned<Item>[] {
  return stretches(before, after, keyOf).flatMap((stretch) =>
    'same' in stretch ? [stretch] : paired(stretch.gone, stretch.come, keyOf),
  );
}

/** Items that differ, between those that are the same. */
export interface Stretch<Item> {
  readonly gone: readonly Item[];
  readonly come: readonly Item[];
}

/** The same without pairing what differs. */
export function stretches<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (Aligned<Item> | Stretch<Item>)[] {
  const [keys, newKeys] = [before.map(keyOf), after.map(keyOf)];
  const parts = partsOf(keys, newKeys);
  const rows: (Aligned<Item> | Stretch<Item>)[] = [];
  let [at, newAt] = [0, 0];
  let stretch: { gone: readonly Item[]; come: readonly Item[] } | undefined;
  for (const { value, added, removed } of parts) {
    const [gone, come] = [added ? 0 : value.length, removed ? 0 : value.length];
    const [old, now] = [before.slice(at, at + gone), after.slice(newAt, newAt + come)];
    at += gone;
    newAt += come;
    if (!added && !removed) {
      stretch = undefined;
      for (const [i, item] of old.entries()) rows.push(pair(item, now[i], true));
      continue;
    }
    if (stretch === undefined) {
      stretch = { gone: [], come: [] };
      rows.push(stretch);
    }
    if (removed) stretch.gone = old;
    else stretch.come = now;
  }
  return rows;
}

type Parts = readonly { readonly value: readonly string[]; readonly added?: boolean; readonly removed?: boolean }[];

/** The ends that are the same go first: of paragraphs that repeat, the one that was changed is then found at its place. */
function partsOf(before: readonly string[], after: readonly string[]): Parts {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const [gone, come] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const whole = [
    { value: gone, removed: true },
    { value: come, added: true },
  ];
  const middle = diffArrays(gone, come, { maxEditLength: MOST_EDITS }) ?? whole;
  const ends = [{ value: before.slice(0, start) }, { value: before.slice(before.length - end) }] as const;
  return [ends[0], ...middle, ends[1]].filter(({ value }) => value.length > 0);
}

function pair<Item>(before: Item | undefined, after: Item | undefined, same: boolean): Aligned<Item> {
  return { same, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

/** Between two pairs, as many that came as went take their places. */
function inPlaces<Item>(rows: readonly Aligned<Item>[]): readonly Aligned<Item>[] {
  const out: Aligned<Item>[] = [];
  let alone: Aligned<Item>[] = [];
  const flush = (): void => {
    const [gone, come] = [
      alone.filter(({ before }) => before !== undefined),
      alone.filter(({ after }) => after !== undefined),
    ];
    if (gone.length !== come.length) out.push(...alone);
    else out.push(...gone.map(({ before }, i) => pair(before, come[i]?.after, false)));
    alone = [];
  };
  for (const row of rows) {
    if (row.before !== undefined && row.after !== undefined) {
      flush();
      out.push(row);
    } else alone.push(row);
  }
  flush();
  return out;
}

/** Pairs what is alike so that the likeness of all is greatest; what is left stays alone. */
function paired<Item>(
  gone: readonly Item[],
  come: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Aligned<Item>[] {
  if (gone.length * come.length > MOST_PAIRS) {
    return Array.from({ length: Math.max(gone.length, come.length) }, (_, i) => pair(gone[i], come[i], false));
  }
  const [bags, newBags] = [gone, come].map((items) => items.map((item) => bagOf(keyOf(item)))) as [Bag[], Bag[]];
  const alike = bags.map((bag) => newBags.map((other) => likeness(bag, other)));
  const best = gone.map(() => new Float64Array(come.length + 1));
  best.push(new Float64Array(come.length + 1));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const gain = (i: number, j: number): number => alike[i]?.[j] ?? 0;
  for (let i = gone.length - 1; i >= 0; i--) {
    for (let j = come.length - 1; j >= 0; j--) {
      const together = gain(i, j) >= ALIKE ? gain(i, j) + at(i + 1, j + 1) : 0;
      const row = best[i];
      if (row) row[j] = Math.max(together, at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: Aligned<Item>[] = [];
  let [i, j] = [0, 0];
  while (i < gone.length || j < come.length) {
    const both = i < gone.length && j < come.length;
    if (both && gain(i, j) >= ALIKE && at(i, j) === gain(i, j) + at(i + 1, j + 1))
      rows.push(pair(gone[i++], come[j++], false));
    else if (i < gone.length && (j >= come.length || at(i, j) === at(i + 1, j)))
      rows.push(pair<Item>(gone[i++], undefined, false));
    else rows.push(pair<Item>(undefined, come[j++], false));
  }
  return inPlaces(rows);
}

interface Bag {
  readonly words: ReadonlyMap<string, number>;
  readonly size: number;
}

function bagOf(text: string): Bag {
  const words = new Map<string, number>();
  const all = wordsOf(text.slice(0, 4000)).filter((word) => word.trim() !== '');
  for (const word of all) words.set(word, (words.get(word) ?? 0) + 1);
  return { words, size: all.length };
}

/** Dice's coefficient of the words, 0 to 1. */
function likeness(one: Bag, other: Bag): number {
  if (one.size + other.size === 0) return 1;
  const [small, large] = one.words.size < other.words.size ? [one, other] : [other, one];
  let shared = 0;
  for (const [word, count] of small.words) shared += Math.min(count, large.words.get(word) ?? 0);
  return (2 * shared) / (one.size + other.size);
}
