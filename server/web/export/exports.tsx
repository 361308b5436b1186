import { useState } from 'preact/hooks';
import { RevisionForm } from '../history/revision-form.tsx';
import { t } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { bytes } from '../shell/format.ts';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useAction } from '../shell/use-action.ts';
import { download, FORMATS, type Format, type Saved } from './download.ts';
import { ManifestList } from './manifest-list.tsx';
import { OpenFindings } from './open-findings.tsx';

/** Takes a project out: its files at a revision, its whole history, who wrote what; each with its digest. */
export function Exports({ project, query }: View) {
  const { pid } = project;
  const { ref = 'HEAD' } = query;
  const [saved, setSaved] = useState<readonly Saved[]>([]);
  const { run, busy, problem } = useAction(async (format: Format) => {
    const one = await download(pid, { format, ref });
    setSaved((known) => [one, ...known]);
  });
  return (
    <section>
      <h2>{t('export.title')}</h2>
      <RevisionForm
        key={ref}
        project={project}
        revision={ref}
        onChange={(chosen) => {
          location.hash = linkTo(['p', pid, 'export'], { ref: chosen });
        }}
      />
      <div class="actions">
        {FORMATS.map((format) => (
          <button key={format} type="button" disabled={busy} onClick={() => run(format)}>
            {t(`export.${format}`)}
          </button>
        ))}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {problem?.code === 'findings_open' && <OpenFindings pid={pid} />}
      <ul class="saved">
        {saved.map((one) => (
          <li key={one.name + one.at} data-name={one.name} data-sha256={one.sha256}>
            <strong class="mono">{one.name}</strong> <span class="quiet">{bytes(one.size)}</span>
            <div class="mono break quiet">
              {one.sha256 === undefined ? t('export.no_digest') : `sha256 ${one.sha256}`}
            </div>
          </li>
        ))}
      </ul>
      <ManifestList pid={pid} revision={ref} head={project.head} />
    </section>
  );
}
