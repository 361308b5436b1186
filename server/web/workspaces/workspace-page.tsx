import type { JSX } from 'preact';
import { workspaceApi } from '../api/workspace-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo, type Place } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import type { FolderView } from './folder-view.ts';
import { FOLDER_TABS, FOLDER_VIEWS, type FolderViewName } from './folder-views.ts';

/** One folder: its points and turns, what is protected, how it is set. */
export function WorkspacePage({ ws, place }: { readonly ws: string; readonly place: Place }) {
  const [, , name = 'points', ...rest] = place.parts;
  const { value: workspace, problem, reload } = useLoad(() => workspaceApi.show(ws), ws);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (workspace === undefined) return <LoadingNote />;
  const shown: FolderViewName = name in FOLDER_VIEWS ? (name as FolderViewName) : 'points';
  const Shown: (view: FolderView) => JSX.Element = FOLDER_VIEWS[shown];
  const { root } = workspace;
  return (
    <>
      <p class="crumbs">
        <a href={linkTo(['w'])}>{t('nav.workspaces')}</a> / <span class="mono break">{visibleLine(root)}</span>
      </p>
      <h1>{visibleLine(workspace.name ?? root.slice(root.lastIndexOf('/') + 1))}</h1>
      <nav class="tabs" aria-label={t('workspace.views')}>
        {FOLDER_TABS.map((tab) => (
          <a
            key={tab}
            href={linkTo(tab === 'points' ? ['w', ws] : ['w', ws, tab])}
            aria-current={shown === tab ? 'page' : undefined}
          >
            {tOf('view', tab)}
          </a>
        ))}
      </nav>
      <Shown key={place.parts.join('/')} workspace={workspace} rest={rest} query={place.query} reload={reload} />
    </>
  );
}
