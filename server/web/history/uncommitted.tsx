import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Project } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { useLoad } from '../shell/use-load.ts';
import { ResetDialog } from './reset-dialog.tsx';

/** What the project's folder has and no commit, while nobody works in it: to be seen, and to be put back to HEAD. Nothing where there is nothing. */
export function Uncommitted({ project, reload }: { readonly project: Project; readonly reload: () => void }) {
  const { pid, status, recovery, updated_at } = project;
  const [asking, setAsking] = useState(false);
  const quiet = status !== 'running' && recovery === undefined;
  const { value, reload: again } = useLoad(
    async () => (quiet ? projectApi.status(pid) : undefined),
    `${pid} ${quiet}`,
    updated_at,
  );
  if (value === undefined || !value.dirty) return null;
  return (
    <section class="banner tone-wait" aria-label={t('uncommitted.title')} data-snapshot={value.snapshot}>
      <h2>{t('uncommitted.title')}</h2>
      <p>{t('uncommitted.about', { n: value.files.length })}</p>
      <div class="actions">
        <button type="button" onClick={() => setAsking(true)}>
          {t('uncommitted.look')}
        </button>
      </div>
      {asking && (
        <ResetDialog
          pid={pid}
          snapshot={value.snapshot}
          onDone={() => {
            again();
            reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
