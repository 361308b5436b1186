import type { BlockDifference } from '../../../domain/comparison.ts';
import type { Block, Row } from '../documents/document.ts';
import { type Aligned, align } from './align.ts';
import { blockDifference } from './block-differences.ts';

/** Compares two sheets: rows find each other by what is in them, then cells by their column. Only cells that differ come. */
export function rowDifferences(before: readonly Row[], after: readonly Row[]): readonly BlockDifference[] {
  return align(before, after, keyOf).flatMap((pair) => (pair.same ? [] : cellDifferences(pair)));
}

const keyOf = ({ cells }: Row): string => [...cells].map(([column, text]) => `${column} ${text}`).join('\n');

function cellDifferences({ before, after }: Aligned<Row>): readonly BlockDifference[] {
  const columns = [...new Set([...(before?.cells.keys() ?? []), ...(after?.cells.keys() ?? [])])].sort(byColumn);
  return columns.flatMap((column) => {
    const [old, now] = [cellOf(before, column), cellOf(after, column)];
    if (old?.text === now?.text) return [];
    return [blockDifference({ same: false, ...(old && { before: old }), ...(now && { after: now }) })];
  });
}

function cellOf(row: Row | undefined, column: string): Block | undefined {
  const text = row?.cells.get(column);
  return row === undefined || text === undefined ? undefined : { text, at: `${column}${row.number}` };
}

const byColumn = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
