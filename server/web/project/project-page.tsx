import type { JSX } from 'preact';
import { t } from '../i18n/t.ts';
import { useProject } from '../live/use-project.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import type { Place } from '../shell/route.ts';
import { ProjectHead } from './project-head.tsx';
import type { View } from './view.ts';
import { VIEWS, type ViewName } from './views.ts';

/** One project: its head, and the view that the address names. */
export function ProjectPage({ pid, place }: { readonly pid: string; readonly place: Place }) {
  const { project, live, problem, reload } = useProject(pid);
  const [, , name = 'overview', ...rest] = place.parts;
  if (problem !== undefined) {
    return (
      <>
        <ProblemNote problem={problem} />
        <a href="#/">{t('nav.projects')}</a>
      </>
    );
  }
  if (project === undefined) return <LoadingNote />;
  const shown: ViewName = name in VIEWS ? (name as ViewName) : 'overview';
  const Shown: (view: View) => JSX.Element = VIEWS[shown];
  return (
    <>
      <ProjectHead project={project} link={live.link} shown={shown} reload={reload} />
      <Shown key={shown} project={project} live={live} rest={rest} query={place.query} reload={reload} />
    </>
  );
}
