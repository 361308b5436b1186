import { useMemo } from 'preact/hooks';
import type { FileChange } from '../api/types.ts';
import { pathKey } from '../paths/file-path.ts';
import { type DiffRow, diffRows, type Layout } from './diff-rows.ts';
import { longestLine } from './line-width.ts';
import { type PatchFile, parsePatch } from './parse-patch.ts';
import { reverseChange, reversePatch } from './reverse-patch.ts';

export interface GivenDiff {
  readonly patch: string;
  readonly files: readonly FileChange[];
  /** Files whose differences are not in the patch. */
  readonly documents: readonly PatchFile[];
  readonly layout: Layout;
  /** What taking it back would do. */
  readonly reverse: boolean;
}

/** A difference made ready to be shown: its files, its rows, where each file begins, and how many columns the widest line has. */
export function useDiff({ patch, documents, layout, reverse, ...given }: GivenDiff) {
  const parsed = useMemo(() => {
    const all = [...parsePatch(patch), ...documents];
    return reverse ? all.map(reversePatch) : all;
  }, [patch, documents, reverse]);
  const files = useMemo(() => (reverse ? given.files.map(reverseChange) : given.files), [given.files, reverse]);
  const changeOf = useMemo(() => changesByName(files), [files]);
  const rows = useMemo(() => diffRows(parsed, layout), [parsed, layout]);
  const heads = useMemo(() => headsOf(rows, changeOf), [rows, changeOf]);
  const width = useMemo(() => longestLine(rows), [rows]);
  return { files, rows, heads, changeOf, width };
}

type FileRow = Extract<DiffRow, { kind: 'file' }>;

/** What is known of the file of a row: by its name, or else by its place. */
function changesByName(files: readonly FileChange[]): (row: FileRow) => FileChange | undefined {
  const byName = new Map(files.map((file) => [pathKey(file), file]));
  return ({ named, file }) => byName.get(pathKey(named)) ?? files[file];
}

/** The row at which each file begins. */
function headsOf(
  rows: readonly DiffRow[],
  changeOf: (row: FileRow) => FileChange | undefined,
): ReadonlyMap<string, number> {
  return new Map(rows.flatMap((row, at) => (row.kind === 'file' ? [[pathKey(changeOf(row) ?? row.named), at]] : [])));
}
