import type { BlockDifference } from '../../../domain/comparison.ts';
import type { Block, Row } from '../documents/document.ts';
import { type Aligned, align } from './align.ts';
import { blockDifference } from './block-differences.ts';
import { byColumn, type ColumnPairs, columnPairs } from './column-pairs.ts';

/** Compares two sheets: columns and rows find each other by what is in them, then cell by cell. Only cells that differ come. */
export function rowDifferences(before: readonly Row[], after: readonly Row[]): readonly BlockDifference[] {
  const columns = columnPairs(before, after);
  const moved = columns === undefined ? before : before.map((row) => movedRow(row, columns));
  return align(moved, after, keyOf).flatMap((pair) => (pair.same ? [] : cellDifferences(pair, columns)));
}

/** A row with its cells under the letters that their columns have now; of those that have none, under the old ones in brackets. */
function movedRow({ number, cells }: Row, columns: ColumnPairs): Row {
  const now = new Map([...columns].map(([is, was]) => [was, is]));
  return { number, cells: new Map([...cells].map(([name, text]) => [now.get(name) ?? `(${name})`, text])) };
}

const keyOf = ({ cells }: Row): string => [...cells].map(([column, text]) => `${column} ${text}`).join('\n');

function cellDifferences(
  { before, after }: Aligned<Row>,
  columns: ColumnPairs | undefined,
): readonly BlockDifference[] {
  const names = [...new Set([...(before?.cells.keys() ?? []), ...(after?.cells.keys() ?? [])])].sort(byPlace);
  return names.flatMap((name) => {
    const was = columns?.get(name) ?? plainName(name);
    const [old, now] = [cellOf(before, name, was), cellOf(after, name, name)];
    if (old?.text === now?.text) return [];
    return [blockDifference({ same: false, ...(old && { before: old }), ...(now && { after: now }) })];
  });
}

function cellOf(row: Row | undefined, name: string, column: string): Block | undefined {
  const text = row?.cells.get(name);
  return row === undefined || text === undefined ? undefined : { text, at: `${column}${row.number}` };
}

const plainName = (name: string): string => name.replace(/[()]/g, '');
const byPlace = (a: string, b: string): number => byColumn(plainName(a), plainName(b));
