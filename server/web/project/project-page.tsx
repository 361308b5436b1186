import type { JSX } from 'preact';
import { t, tOf } from '../i18n/t.ts';
import { useProject } from '../live/use-project.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { Nowhere } from '../shell/nowhere.tsx';
import { linkTo, type Place } from '../shell/route.ts';
import { useTitle } from '../shell/use-title.ts';
import { visibleLine } from '../shell/visible.ts';
import { ProjectHead } from './project-head.tsx';
import type { View } from './view.ts';
import { VIEWS, type ViewName } from './views.ts';

/** One project: its head, and the view that the address names. */
export function ProjectPage({ pid, place }: { readonly pid: string; readonly place: Place }) {
  const { project, live, problem, reload } = useProject(pid);
  const [, , name = 'overview', ...rest] = place.parts;
  const known = Object.hasOwn(VIEWS, name);
  useTitle(...(known ? [tOf('view', name)] : []), project?.name ?? project?.requirement ?? pid);
  if (project === undefined || problem?.final === true) {
    return (
      <>
        <p class="crumbs">
          <a href="#/">{t('nav.projects')}</a>
        </p>
        <h1 class="mono">{visibleLine(pid)}</h1>
        {problem === undefined ? <LoadingNote /> : <ProblemNote problem={problem} />}
      </>
    );
  }
  const Shown: ((view: View) => JSX.Element) | undefined = known ? VIEWS[name as ViewName] : undefined;
  return (
    <>
      <ProjectHead project={project} link={live.link} shown={name} reload={reload} />
      {problem !== undefined && !problem.passing && <ProblemNote problem={problem} onRetry={reload} />}
      {Shown === undefined ? (
        <Nowhere href={linkTo(['p', pid])} text={tOf('view', 'overview')} />
      ) : (
        <Shown key={name} project={project} live={live} rest={rest} query={place.query} reload={reload} />
      )}
    </>
  );
}
