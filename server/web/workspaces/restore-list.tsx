import { useState } from 'preact/hooks';
import type { RestoreReport } from '../api/types.ts';
import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { Moment } from '../shell/moment.tsx';
import { MoreButton } from '../shell/more-button.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useAction } from '../shell/use-action.ts';
import { usePages } from '../shell/use-pages.ts';

/** The restores that were applied, newest first: each can be taken back, and that too. Nothing where there were none. */
export function RestoreList({ ws, onDone }: { readonly ws: string; readonly onDone: () => void }) {
  const [done, setDone] = useState<RestoreReport>();
  const { value, problem, loading, more, showMore, reload } = usePages(
    (cursor) => workspaceApi.restores(ws, { limit: 50, cursor }),
    `${ws} restores`,
  );
  const undo = useAction(async (id: string) => {
    setDone(await workspaceApi.undo(ws, id));
    reload();
    onDone();
  });
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined || value.length === 0) return null;
  return (
    <details class="reasons">
      <summary>{t('restores.title', { n: more ? `${value.length}+` : value.length })}</summary>
      {undo.problem !== undefined && <ProblemNote problem={undo.problem} />}
      {done !== undefined && <p role="status">{t('report.title', { n: done.changed })}</p>}
      <ul class="saved">
        {value.map(({ id, point, changed, applied_at, into, undoes }) => (
          <li key={id} data-restore={id}>
            {applied_at !== undefined && <Moment ts={applied_at} />}{' '}
            <a href={linkTo(['w', ws, 'point', point])}>{t(undoes === undefined ? 'restores.to' : 'restores.undid')}</a>{' '}
            <span class="quiet">{t('report.title', { n: changed })}</span>{' '}
            {into === undefined ? (
              <button type="button" disabled={undo.busy} onClick={() => undo.run(id)}>
                {t('report.undo')}
              </button>
            ) : (
              <span class="mono break quiet">{into}</span>
            )}
          </li>
        ))}
      </ul>
      {more && <MoreButton busy={loading} onClick={showMore} />}
    </details>
  );
}
