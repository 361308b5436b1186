import { WaitingNote } from '../decide/waiting-note.tsx';
import { t } from '../i18n/t.ts';
import { LinkPill } from '../shell/link-pill.tsx';
import { MoreButton } from '../shell/more-button.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useTitle } from '../shell/use-title.ts';
import { NoProjects } from './no-projects.tsx';
import { ProjectTable } from './project-table.tsx';
import { StatusFilter } from './status-filter.tsx';
import { useProjects } from './use-projects.ts';

/** Every project, newest first, each with its state as it is now. */
export function ProjectsPage({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { status } = query;
  const { value, problem, more, loading, showMore, reload, link } = useProjects(status);
  useTitle(t('projects.title'));
  return (
    <>
      <div class="head">
        <h1>{t('projects.title')}</h1>
        <span class="states">
          <LinkPill link={link} />
          <a class="button primary" href="#/new">
            {t('projects.new')}
          </a>
        </span>
      </div>
      <WaitingNote round={value?.map(({ updated_at }) => updated_at).join(' ') ?? ''} />
      <StatusFilter status={status} />
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value?.length === 0 && <NoProjects filtered={status !== undefined} />}
      {value !== undefined && value.length > 0 && <ProjectTable projects={value} />}
      {more && <MoreButton busy={loading} onClick={showMore} />}
    </>
  );
}
