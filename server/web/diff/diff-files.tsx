import type { FileChange } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { pathKey } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { Counts } from './diff-line.tsx';

export interface DiffFilesProps {
  readonly files: readonly FileChange[];
  /** Index of the file that is shown. */
  readonly here: number;
  readonly onChoose: (file: number) => void;
}

/** The files of a difference, each a button that leads to its lines. */
export const DiffFiles = ({ files, here, onChoose }: DiffFilesProps) => (
  <nav class="diff-files" aria-label={t('diff.files')}>
    <p class="quiet">
      {t('diff.sum', { files: files.length, plus: sum(files, 'additions'), minus: sum(files, 'deletions') })}
    </p>
    <Portion
      items={files}
      at={here}
      row={(file, at) => (
        <li key={pathKey(file)}>
          <button
            type="button"
            class="link"
            aria-current={at === here ? 'true' : undefined}
            data-path={file.path}
            onClick={() => onChoose(at)}
          >
            <span class="mono break">
              <PathName named={file} />
            </span>{' '}
            <Counts change={file} />
          </button>
        </li>
      )}
    />
  </nav>
);

const sum = (files: readonly FileChange[], name: 'additions' | 'deletions'): number =>
  files.reduce((all, file) => all + (file[name] ?? 0), 0);
