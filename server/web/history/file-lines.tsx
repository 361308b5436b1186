import type { Commit } from '../api/types.ts';
import { columns, LONGEST } from '../diff/line-width.ts';
import { t } from '../i18n/t.ts';
import { VirtualList } from '../list/virtual-list.tsx';
import { visible } from '../shell/visible.ts';
import { BlameLine } from './blame-line.tsx';

export interface FileLinesProps {
  readonly pid: string;
  readonly path: string;
  readonly lines: readonly string[];
  /** The commit of each line; absent where nobody wants to know. */
  readonly blame: readonly (Commit | undefined)[] | undefined;
}

const ROW = 20;

/** The lines of a file, and who wrote them. */
export const FileLines = ({ pid, path, lines, blame }: FileLinesProps) => (
  <VirtualList
    class="file-lines"
    count={lines.length}
    rowHeight={ROW}
    label={t('file.lines', { path })}
    style={{
      '--line-length': `${lines.reduce((most, line) => Math.max(most, columns(line)), 20)}ch`,
    }}
    row={(index) => (
      <div key={index} class="diff-row file-line" data-line={index + 1}>
        {blame !== undefined && <BlameLine pid={pid} commit={blame[index]} before={blame[index - 1]} />}
        <span class="number">{index + 1}</span>
        <code>{visible((lines[index] ?? '').slice(0, LONGEST))}</code>
      </div>
    )}
  />
);
