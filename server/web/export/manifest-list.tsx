import { projectApi } from '../api/project-api.ts';
import { t } from '../i18n/t.ts';
import { bytes } from '../shell/format.ts';
import { ProblemNote } from '../shell/notes.tsx';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';

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
  const { value, problem } = useLoad(() => projectApi.manifest(pid, revision), `${pid} ${revision} ${head}`);
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
      <ul class="saved">
        {value.files.slice(0, 500).map((file) => (
          <li key={file.path} data-file={file.path} data-sha256={file.sha256}>
            <span class="mono break">{visibleLine(file.path)}</span> <span class="quiet">{bytes(file.size)}</span>
            <div class="mono break quiet">{file.sha256}</div>
          </li>
        ))}
      </ul>
      {value.files.length > 500 && <p class="quiet">{t('export.more', { n: value.files.length - 500 })}</p>}
    </details>
  );
}
