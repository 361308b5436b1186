import type { FileChange } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { PathName } from '../paths/path-name.tsx';
import { visible, visibleLine } from '../shell/visible.ts';
import type { DiffRow, Layout, Side } from './diff-rows.ts';
import { LONGEST } from './line-width.ts';
import { type Piece, wordMarks } from './word-marks.ts';

export interface DiffLineProps {
  readonly row: DiffRow;
  readonly layout: Layout;
  /** What is known of the file that a `file` row names. */
  readonly change: FileChange | undefined;
}

/** One row of a difference. */
export function DiffLine({ row, layout, change }: DiffLineProps) {
  if (row.kind === 'file') {
    return (
      <div class="diff-row diff-file" data-file={(change ?? row.named).path}>
        <strong class="mono">
          <PathName named={change ?? row.named} />
        </strong>
        {change !== undefined && <Counts change={change} />}
      </div>
    );
  }
  if (row.kind !== 'line') return <div class={`diff-row diff-${row.kind}`}>{visibleLine(row.text)}</div>;
  return layout === 'split' ? <SplitLine row={row} /> : <UnifiedLine row={row} />;
}

/** How a file changed, and by how many lines. */
export const Counts = ({ change: { change, additions, deletions } }: { readonly change: FileChange }) => (
  <span class="counts">
    {change !== 'modified' && <span class="tag">{tOf('change', change)}</span>}
    {additions === undefined ? (
      <span class="quiet">{t('diff.binary')}</span>
    ) : (
      <>
        <span class="plus">+{additions}</span> <span class="minus">−{deletions ?? 0}</span>
      </>
    )}
  </span>
);

type LineRow = Extract<DiffRow, { kind: 'line' }>;

function UnifiedLine({ row }: { readonly row: LineRow }) {
  const side = row.change === 'deleted' ? 'old' : 'new';
  const shown = row[side];
  return (
    <div class={`diff-row diff-line is-${row.change}`}>
      <span class="number">{row.change === 'added' ? '' : row.old?.number}</span>
      <span class="number">{row.change === 'deleted' ? '' : row.new?.number}</span>
      <span class="sign">{row.change === 'added' ? '+' : row.change === 'deleted' ? '−' : ' '}</span>
      {shown !== undefined && <Code side={shown} pieces={piecesOf(row, side)} />}
    </div>
  );
}

const SplitLine = ({ row }: { readonly row: LineRow }) => (
  <div class={`diff-row diff-line diff-pair is-${row.change}`}>
    <span class="number">{row.old?.number}</span>
    <span class="half half-old">{row.old !== undefined && <Code side={row.old} pieces={piecesOf(row, 'old')} />}</span>
    <span class="number">{row.new?.number}</span>
    <span class="half half-new">{row.new !== undefined && <Code side={row.new} pieces={piecesOf(row, 'new')} />}</span>
  </div>
);

/** The words in which a line differs from the one that it stands for. */
function piecesOf(row: LineRow, side: 'old' | 'new'): readonly Piece[] | undefined {
  if (row.change === 'same' || row.old === undefined || row.new === undefined) return undefined;
  return wordMarks(row.old.text.slice(0, LONGEST), row.new.text.slice(0, LONGEST))[side];
}

function Code({
  side: { text, open },
  pieces,
}: {
  readonly side: Side;
  readonly pieces: readonly Piece[] | undefined;
}) {
  return (
    <code>
      {pieces === undefined
        ? visible(text.slice(0, LONGEST))
        : pieces.map(({ text: piece, changed }, at) =>
            changed ? <mark key={at}>{visible(piece)}</mark> : visible(piece),
          )}
      {text.length > LONGEST && <span class="quiet">{t('diff.cut', { n: text.length - LONGEST })}</span>}
      {open && <span class="quiet"> {t('diff.open')}</span>}
    </code>
  );
}
