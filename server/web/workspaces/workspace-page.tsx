import type { JSX } from 'preact';
import { workspaceApi } from '../api/workspace-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { Nowhere } from '../shell/nowhere.tsx';
import { linkTo, type Place } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { useTitle } from '../shell/use-title.ts';
import { visibleLine } from '../shell/visible.ts';
import type { FolderView } from './folder-view.ts';
import { FOLDER_TABS, FOLDER_VIEWS, type FolderViewName } from './folder-views.ts';

/** One folder: its points and turns, what is protected, how it is set. */
export function WorkspacePage({ ws, place }: { readonly ws: string; readonly place: Place }) {
  const [, , view = 'points', ...rest] = place.parts;
  const { value: workspace, problem, reload } = useLoad(() => workspaceApi.show(ws), ws);
  const known = Object.hasOwn(FOLDER_VIEWS, view);
  const { root = '', name = root.slice(root.lastIndexOf('/') + 1) } = workspace ?? {};
  useTitle(...(known ? [tOf('view', view)] : []), workspace === undefined ? ws : name);
  const Shown: ((view: FolderView) => JSX.Element) | undefined = known
    ? FOLDER_VIEWS[view as FolderViewName]
    : undefined;
  return (
    <>
      <p class="crumbs">
        <a href={linkTo(['w'])}>{t('nav.workspaces')}</a> / <span class="mono break">{visibleLine(root)}</span>
      </p>
      {workspace === undefined ? <h1 class="mono">{visibleLine(ws)}</h1> : <h1>{visibleLine(name)}</h1>}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {workspace === undefined && problem === undefined && <LoadingNote />}
      {workspace !== undefined && <FolderTabs ws={ws} view={view} />}
      {workspace !== undefined &&
        (Shown === undefined ? (
          <Nowhere href={linkTo(['w', ws])} text={tOf('view', 'points')} />
        ) : (
          <Shown key={place.parts.join('/')} workspace={workspace} rest={rest} query={place.query} reload={reload} />
        ))}
    </>
  );
}

const FolderTabs = ({ ws, view }: { readonly ws: string; readonly view: string }) => (
  <nav class="tabs" aria-label={t('workspace.views')}>
    {FOLDER_TABS.map((tab) => (
      <a
        key={tab}
        href={linkTo(tab === 'points' ? ['w', ws] : ['w', ws, tab])}
        aria-current={view === tab ? 'page' : undefined}
      >
        {tOf('view', tab)}
      </a>
    ))}
  </nav>
);
