import { useState } from 'preact/hooks';
import type { FileChange } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { VirtualList } from '../list/virtual-list.tsx';
import { type FilePath, pathKey } from '../paths/file-path.ts';
import { EmptyNote } from '../shell/notes.tsx';
import { DiffFiles } from './diff-files.tsx';
import { DiffLine } from './diff-line.tsx';
import type { Layout } from './diff-rows.ts';
import type { PatchFile } from './parse-patch.ts';
import { useDiff } from './use-diff.ts';

export interface DiffViewProps {
  readonly patch: string;
  readonly files: readonly FileChange[];
  readonly layout: Layout;
  /** Files whose differences are not in the patch. */
  readonly documents?: readonly PatchFile[];
  /** The key of the file to begin with. */
  readonly path?: string | undefined;
  readonly onPath?: (named: FilePath) => void;
  /** Shows what taking it back would do. */
  readonly reverse?: boolean;
}

const ROW = 20;
const NONE: readonly PatchFile[] = [];

/** A difference: its files, and their lines in one list. `n` and `p` in it lead to the next and the previous file. */
export function DiffView({ layout, path, onPath, reverse = false, documents = NONE, ...given }: DiffViewProps) {
  const { files, rows, heads, changeOf, width } = useDiff({ ...given, layout, documents, reverse });
  const [here, setHere] = useState(() =>
    Math.max(
      0,
      files.findIndex((file) => pathKey(file) === path),
    ),
  );
  const shown = files[here];
  if (files.length === 0) return <EmptyNote title={t('diff.none')} />;
  const go = (file: number) => {
    const at = Math.max(0, Math.min(files.length - 1, file));
    const chosen = files[at];
    setHere(at);
    if (chosen !== undefined) onPath?.(chosen);
  };
  return (
    <div class="diff">
      <DiffFiles files={files} here={here} onChoose={go} />
      <VirtualList
        class={`diff-lines layout-${layout}`}
        count={rows.length}
        rowHeight={ROW}
        label={t('diff.lines')}
        at={shown && heads.get(pathKey(shown))}
        style={{ '--line-length': `${width}ch` }}
        onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
          if (ctrlKey || metaKey || altKey) return;
          if (key === 'n') go(here + 1);
          if (key === 'p') go(here - 1);
        }}
        row={(index) => {
          const row = rows[index];
          if (row === undefined) return <div />;
          return (
            <DiffLine key={index} row={row} layout={layout} change={row.kind === 'file' ? changeOf(row) : undefined} />
          );
        }}
      />
    </div>
  );
}
