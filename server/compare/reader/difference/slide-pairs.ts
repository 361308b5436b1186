import type { Section } from '../documents/document.ts';
import { type Aligned, align } from './align.ts';

/** A part of a document beside what it was. */
export interface SectionPair extends Aligned<Section> {
  /** The same, at another place among the others. */
  readonly moved?: boolean;
}

/** Slides find each other by what is on them, so that one that comes between the others changes none of them. */
export function slidePairs(before: readonly Section[], after: readonly Section[]): readonly SectionPair[] {
  const pairs = align(before, after, textOf);
  const gone = new Map<string, SectionPair>();
  for (const pair of pairs) if (pair.after === undefined && pair.before) gone.set(textOf(pair.before), pair);
  const taken = new Set<SectionPair>();
  const found = pairs.map((pair): SectionPair => {
    const from = pair.before === undefined && pair.after ? gone.get(textOf(pair.after)) : undefined;
    if (from?.before === undefined || taken.has(from)) return pair;
    taken.add(from);
    return { ...pair, before: from.before, moved: true };
  });
  return found.filter((pair) => !taken.has(pair));
}

const textOf = ({ blocks }: Section): string => blocks.map(({ text }) => text).join('\n');
