import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { Moment } from '../shell/moment.tsx';
import { MoreButton } from '../shell/more-button.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { usePages } from '../shell/use-pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { visibleLine } from '../shell/visible.ts';
import { AddWorkspace } from './add-workspace.tsx';

/** The folders whose histories are kept, and the way to another. */
export function WorkspaceList() {
  const { value, problem, reload, loading, more, showMore } = usePages(
    (cursor) => workspaceApi.list({ limit: 200, cursor }),
    'workspaces',
  );
  useTitle(t('workspaces.title'));
  return (
    <>
      <h1>{t('workspaces.title')}</h1>
      <AddWorkspace />
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value?.length === 0 && (
        <EmptyNote title={t('workspaces.none')}>
          <p>{t('workspaces.none_next')}</p>
        </EmptyNote>
      )}
      {value !== undefined && value.length > 0 && (
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t('workspaces.folder')}</th>
              <th scope="col">{t('workspaces.since')}</th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ id, root, name, created_at }) => (
              <tr key={id} data-ws={id}>
                <td class="wide">
                  <a class="title" href={linkTo(['w', id])}>
                    {visibleLine(name ?? root.slice(root.lastIndexOf('/') + 1))}
                  </a>
                  <span class="quiet mono break">{visibleLine(root)}</span>
                </td>
                <td>
                  <Moment ts={created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && <MoreButton busy={loading} onClick={showMore} />}
    </>
  );
}
