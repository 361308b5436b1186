import { useMemo, useState } from 'preact/hooks';
import type { FileChange } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { VirtualList } from '../list/virtual-list.tsx';
import { EmptyNote } from '../shell/notes.tsx';
import { visibleLine } from '../shell/visible.ts';
import { Counts, DiffLine, LONGEST } from './diff-line.tsx';
import { type DiffRow, diffRows, type Layout } from './diff-rows.ts';
import { type PatchFile, parsePatch } from './parse-patch.ts';
import { reverseChange, reversePatch } from './reverse-patch.ts';

export interface DiffViewProps {
  readonly patch: string;
  readonly files: readonly FileChange[];
  readonly layout: Layout;
  /** Files whose differences are not in the patch. */
  readonly documents?: readonly PatchFile[];
  /** The file to begin with. */
  readonly path?: string | undefined;
  readonly onPath?: (path: string) => void;
  /** Shows what taking it back would do. */
  readonly reverse?: boolean;
}

const ROW = 20;
const NONE: readonly PatchFile[] = [];

/** A difference: its files, and their lines in one list. `n` and `p` in it lead to the next and the previous file. */
export function DiffView({ patch, layout, path, onPath, reverse = false, documents = NONE, ...given }: DiffViewProps) {
  const parsed = useMemo(() => {
    const all = [...parsePatch(patch), ...documents];
    return reverse ? all.map(reversePatch) : all;
  }, [patch, documents, reverse]);
  const files = useMemo(() => (reverse ? given.files.map(reverseChange) : given.files), [given.files, reverse]);
  const rows = useMemo(() => diffRows(parsed, layout), [parsed, layout]);
  const heads = useMemo(
    () => new Map(rows.flatMap((row, at) => (row.kind === 'file' ? [[changeOf(row, files)?.path, at] as const] : []))),
    [rows, files],
  );
  const [here, setHere] = useState(() =>
    Math.max(
      0,
      files.findIndex((file) => file.path === path),
    ),
  );
  if (files.length === 0) return <EmptyNote title={t('diff.none')} />;
  const go = (file: number) => {
    const at = Math.max(0, Math.min(files.length - 1, file));
    setHere(at);
    onPath?.(files[at]?.path ?? '');
  };
  return (
    <div class="diff">
      <nav class="diff-files" aria-label={t('diff.files')}>
        <p class="quiet">
          {t('diff.sum', { files: files.length, plus: sum(files, 'additions'), minus: sum(files, 'deletions') })}
        </p>
        <ul>
          {files.map((file, at) => (
            <li key={file.path}>
              <button
                type="button"
                class="link"
                aria-current={at === here ? 'true' : undefined}
                data-path={file.path}
                onClick={() => go(at)}
              >
                <span class="mono break">{visibleLine(file.path)}</span> <Counts change={file} />
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <VirtualList
        class={`diff-lines layout-${layout}`}
        count={rows.length}
        rowHeight={ROW}
        label={t('diff.lines')}
        at={heads.get(files[here]?.path)}
        style={{ '--line-length': `${lineLength(rows)}ch` }}
        onKeyDown={({ key }) => {
          if (key === 'n') go(here + 1);
          if (key === 'p') go(here - 1);
        }}
        row={(index) => {
          const row = rows[index];
          if (row === undefined) return <div />;
          const change = row.kind === 'file' ? changeOf(row, files) : undefined;
          return <DiffLine key={index} row={row} layout={layout} change={change} />;
        }}
      />
    </div>
  );
}

/** Names that the patch quotes are found by their place. */
function changeOf(row: Extract<DiffRow, { kind: 'file' }>, files: readonly FileChange[]): FileChange | undefined {
  return files.find(({ path }) => path === row.path) ?? files[row.file];
}

const sum = (files: readonly FileChange[], name: 'additions' | 'deletions'): number =>
  files.reduce((all, file) => all + (file[name] ?? 0), 0);

/** So wide are the lines that one can scroll to the end of each. */
function lineLength(rows: readonly DiffRow[]): number {
  return rows.reduce((most, row) => {
    if (row.kind !== 'line') return most;
    return Math.max(most, Math.min(LONGEST + 30, Math.max(row.old?.text.length ?? 0, row.new?.text.length ?? 0)));
  }, 20);
}
