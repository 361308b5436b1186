import type { Row } from '../documents/document.ts';
import { align } from './align.ts';

/** What column of a sheet stands where one of before did: letters of before by those of after. */
export type ColumnPairs = ReadonlyMap<string, string>;

/**
 * Finds columns that others, which came or went, have pushed aside. Only where some column is the same at another place: else
 * undefined, and each is what it was.
 */
export function columnPairs(before: readonly Row[], after: readonly Row[]): ColumnPairs | undefined {
  const pairs = align(columnsOf(before), columnsOf(after), ({ key }) => key);
  const pushed = pairs.some((pair) => pair.same && pair.before?.name !== pair.after?.name);
  if (!pushed) return undefined;
  return new Map(pairs.flatMap(({ before: was, after: is }) => (was && is ? [[is.name, was.name] as const] : [])));
}

interface Column {
  readonly name: string;
  readonly key: string;
}

function columnsOf(rows: readonly Row[]): readonly Column[] {
  const columns = new Map<string, string[]>();
  for (const { cells } of rows) {
    for (const [name, text] of cells) {
      const texts = columns.get(name) ?? [];
      columns.set(name, texts);
      texts.push(text);
    }
  }
  return [...columns]
    .map(([name, texts]) => ({ name, key: texts.join('\n') }))
    .sort((a, b) => byColumn(a.name, b.name));
}

/** The order of columns by their letters. */
export const byColumn = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
