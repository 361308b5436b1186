import { projectApi } from '../api/project-api.ts';
import { t } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { pathKey } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { bytes } from '../shell/format.ts';
import { ProblemNote } from '../shell/notes.tsx';
import { useLoad } from '../shell/use-load.ts';

/** What an archive of a revision holds, each file with its digest. */
export function ManifestList({
  pid,
  revision,
  head,
}: {
  readonly pid: string;
  readonly revision: string;
  readonly head: string;
}) {
  const { value, problem } = useLoad(() => projectApi.manifest(pid, revision), `${pid} ${revision}`, head);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined) return null;
  return (
    <details>
      <summary>{t('export.manifest', { n: value.files.length })}</summary>
      <p class="mono break quiet">
        commit {value.commit}
        <br />
        tree {value.tree}
      </p>
      <Portion
        class="saved"
        items={value.files}
        row={(file) => (
          <li key={pathKey(file)} data-file={file.path} data-sha256={file.sha256}>
            <span class="mono break">
              <PathName named={file} />
            </span>{' '}
            <span class="quiet">{bytes(file.size)}</span>
            <div class="mono break quiet">{file.sha256}</div>
          </li>
        )}
      />
    </details>
  );
}
