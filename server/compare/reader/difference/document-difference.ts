import type { Finding, SectionDifference } from '../../../domain/comparison.ts';
import type { DocumentText, Section } from '../documents/document.ts';
import { align } from './align.ts';
import { blockDifferences } from './block-differences.ts';
import { rowDifferences } from './row-differences.ts';
import { shownSections } from './shown-sections.ts';
import { type SectionPair, slidePairs } from './slide-pairs.ts';
import { untoldParts } from './told-parts.ts';

type DocumentFinding = Extract<Finding, { readonly kind: 'document' }>;

/** Compares two documents part by part; one that is absent is as if it were empty. */
export function documentDifference(before: DocumentText | undefined, after: DocumentText | undefined): DocumentFinding {
  const [old, now] = [before?.sections ?? [], after?.sections ?? []];
  const slides = slidePairs(old.filter(isSlide), now.filter(isSlide));
  const parts = namedPairs(
    old.filter((one) => !isSlide(one)),
    now.filter((one) => !isSlide(one)),
  );
  const pairs = [...slides, ...parts].map((pair) => ({ pair, found: sectionDifference(pair) }));
  const shown = shownSections(pairs.flatMap(({ found }) => found));
  const told = pairs.filter(({ found }) => found.length > 0).map(({ pair }) => pair);
  return {
    kind: 'document',
    formats: { ...(before && { before: before.format }), ...(after && { after: after.format }) },
    ...shown,
    not_compared: [...new Set([...(before?.not_compared ?? []), ...(after?.not_compared ?? [])])],
    other_parts: before && after ? untoldParts(before, after, told) : [],
  };
}

const isSlide = ({ kind }: Section): boolean => kind === 'slide';

/** Parts by kind and name; a sheet that has another name by its number of rows. */
function namedPairs(old: readonly Section[], now: readonly Section[]): readonly SectionPair[] {
  const keyOf = ({ kind, name }: Section): string => `${kind} ${name}`;
  const partner = new Map(old.map((section) => [keyOf(section), section]));
  const lost = old.filter((section) => !now.some((one) => keyOf(one) === keyOf(section)));
  const moved = movedSheets(old, now);
  const pairs = now.map((section): SectionPair => {
    const renamed =
      section.kind === 'sheet'
        ? lost.findIndex(({ kind, rows }) => kind === 'sheet' && rows?.length === section.rows?.length)
        : -1;
    const found = partner.get(keyOf(section)) ?? (renamed >= 0 ? lost.splice(renamed, 1)[0] : undefined);
    return { same: false, after: section, ...(found && { before: found }), moved: moved.has(section.name) };
  });
  return [...pairs, ...lost.map((section): SectionPair => ({ same: false, before: section }))];
}

/** Names of the sheets that stand elsewhere among the others. */
function movedSheets(old: readonly Section[], now: readonly Section[]): ReadonlySet<string> {
  const [before, after] = [old, now].map((sections) =>
    sections.filter(({ kind }) => kind === 'sheet').map(({ name }) => name),
  ) as [string[], string[]];
  const rows = align(before, after, (name) => name);
  const gone = new Set(rows.flatMap(({ before: name, same }) => (same || name === undefined ? [] : [name])));
  return new Set(
    rows.flatMap(({ after: name, same }) => (same || name === undefined || !gone.has(name) ? [] : [name])),
  );
}

function sectionDifference({ before, after, same, moved }: SectionPair): readonly SectionDifference[] {
  const is = after ?? before;
  if (is === undefined) return [];
  const number = {
    ...(before?.number !== undefined && { before: before.number }),
    ...(after?.number !== undefined && { after: after.number }),
  };
  const about = { kind: is.kind, name: is.name, ...(is.number !== undefined && { number }) };
  const blocks = same
    ? []
    : [
        ...rowDifferences(before?.rows ?? [], after?.rows ?? []),
        ...blockDifferences(before?.blocks ?? [], after?.blocks ?? []),
      ];
  const change = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
  const renamed = change === 'changed' && !isSlide(is) && before?.name !== is.name;
  const counts = blocks.some((block) => block.change !== 'same') || renamed;
  if (moved && !counts) return [{ ...about, change: 'moved', blocks: [] }];
  // A header that is there and empty is no part; a slide or sheet is.
  if (!counts && (change === 'changed' || (!isSlide(is) && is.kind !== 'sheet'))) return [];
  return [{ ...about, ...(renamed && { name: `${is.name} (was ${before?.name})` }), change, blocks }];
}
