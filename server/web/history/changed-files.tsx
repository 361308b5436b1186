import type { FileChange } from '../api/types.ts';
import { Counts } from '../diff/diff-line.tsx';
import { t } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { pathKey } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { linkTo } from '../shell/route.ts';
import type { CommitProps } from './commit-facts.tsx';

/** The files that a commit changed, each leading to its difference. */
export function ChangedFiles({ pid, commit: { sha, parents, files } }: CommitProps) {
  const [from] = parents;
  const linkOf = (file: FileChange) => linkTo(['p', pid, 'compare'], { from, to: sha, path: pathKey(file) });
  return (
    <div>
      <h3>{t('commit.changed', { n: files.length })}</h3>
      <Portion
        class="changes"
        items={files}
        row={(file) => (
          <li key={pathKey(file)} data-path={file.path}>
            {from === undefined ? (
              <span class="mono break">
                <PathName named={file} />
              </span>
            ) : (
              <a class="mono break" href={linkOf(file)}>
                <PathName named={file} />
              </a>
            )}{' '}
            <Counts change={file} />
          </li>
        )}
      />
    </div>
  );
}
