import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { Moment } from '../shell/moment.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo, type Place } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import { AddWorkspace } from './add-workspace.tsx';
import { WorkspacePage } from './workspace-page.tsx';

/** The folders whose versions are kept; one of them where the address names it. */
export function WorkspacesPage({ place }: { readonly place: Place }) {
  const [, ws] = place.parts;
  return ws === undefined ? <WorkspaceList /> : <WorkspacePage key={ws} ws={ws} place={place} />;
}

function WorkspaceList() {
  const { value, problem, reload } = useLoad(() => workspaceApi.list({ limit: 500 }), 'workspaces');
  return (
    <>
      <h1>{t('workspaces.title')}</h1>
      <AddWorkspace />
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value?.items.length === 0 && (
        <EmptyNote title={t('workspaces.none')}>
          <p>{t('workspaces.none_next')}</p>
        </EmptyNote>
      )}
      {value !== undefined && value.items.length > 0 && (
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t('workspaces.folder')}</th>
              <th scope="col">{t('workspaces.since')}</th>
            </tr>
          </thead>
          <tbody>
            {value.items.map(({ id, root, name, created_at }) => (
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
    </>
  );
}
