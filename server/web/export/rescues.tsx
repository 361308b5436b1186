import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Project, Rescue } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import { Moment } from '../shell/moment.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';

/** What was kept before something would have overwritten it: compare it, or bring it back. */
export function Rescues({ project, reload }: { readonly project: Project; readonly reload: () => void }) {
  const { pid } = project;
  const [asked, setAsked] = useState<Rescue>();
  const { value, problem, reload: again } = useLoad(() => projectApi.rescues(pid), pid, project.updated_at);
  return (
    <section>
      <h2>{t('rescue.title')}</h2>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value?.items.length === 0 && <EmptyNote title={t('rescue.none')} />}
      <ul class="saved">
        {value?.items.map((rescue) => (
          <li key={rescue.id} data-rescue={rescue.id}>
            <strong>{visibleLine(rescue.reason)}</strong> <Moment ts={rescue.ts} />{' '}
            <span class="quiet">{t('rescue.files', { n: rescue.files })}</span>
            <div class="mono break quiet">{rescue.id}</div>
            <p class="actions">
              <a class="button" href={linkTo(['p', pid, 'compare'], { from: 'HEAD', to: `rescue/${rescue.id}` })}>
                {t('rescue.compare')}
              </a>
              <button type="button" onClick={() => setAsked(rescue)}>
                {t('rescue.restore')}
              </button>
            </p>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <AskDialog
          title={t('rescue.restore')}
          text={t('rescue.sure', { n: asked.files, id: asked.id })}
          confirm={t('rescue.restore')}
          onConfirm={async () => {
            await projectApi.restoreRescue(pid, asked.id);
            again();
            reload();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
