import { useEffect, useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { ProjectStatus, ProjectSummary } from '../api/types.ts';
import { WaitingNote } from '../decide/waiting-note.tsx';
import { t, tOf } from '../i18n/t.ts';
import { followAll } from '../live/follow-all.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { ProjectTable } from './project-table.tsx';

const STATUSES: readonly ProjectStatus[] = [
  'running',
  'waiting_approval',
  'blocked',
  'paused',
  'created',
  'cancelled',
  'shipped',
  'shipped-final',
  'abandoned',
];

/** Every project, newest first, each with its state as it is now. */
export function ProjectsPage({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { status } = query;
  const [more, setMore] = useState<readonly ProjectSummary[]>([]);
  const [next, setNext] = useState<string>();
  const { value, problem, reload } = useLoad(
    async () => {
      const page = await projectApi.list({ status, limit: 100 });
      setMore([]);
      setNext(page.next);
      return page.items;
    },
    `projects ${status ?? ''}`,
  );
  useEffect(() => followAll(reload), [reload]);
  const showMore = async () => {
    const page = await projectApi.list({ status, limit: 100, cursor: next });
    setMore((shown) => [...shown, ...page.items]);
    setNext(page.next);
  };
  return (
    <>
      <div class="head">
        <h1>{t('projects.title')}</h1>
        <a class="button primary" href="#/new">
          {t('projects.new')}
        </a>
      </div>
      <WaitingNote round={value?.map(({ updated_at }) => updated_at).join(' ') ?? ''} />
      <StatusFilter status={status} />
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value?.length === 0 && <NoProjects filtered={status !== undefined} />}
      {value !== undefined && value.length > 0 && <ProjectTable projects={[...value, ...more]} />}
      {next !== undefined && (
        <button type="button" onClick={showMore}>
          {t('do.more')}
        </button>
      )}
    </>
  );
}

const StatusFilter = ({ status }: { readonly status: string | undefined }) => (
  <nav class="filter" aria-label={t('projects.filter')}>
    <a href="#/" aria-current={status === undefined ? 'true' : undefined}>
      {t('projects.all')}
    </a>
    {STATUSES.map((name) => (
      <a key={name} href={linkTo([], { status: name })} aria-current={status === name ? 'true' : undefined}>
        {tOf('status', name)}
      </a>
    ))}
  </nav>
);

const NoProjects = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? (
    <EmptyNote title={t('projects.none_of')}>
      <p>
        <a href="#/">{t('projects.show_all')}</a>
      </p>
    </EmptyNote>
  ) : (
    <EmptyNote title={t('projects.none')}>
      <p>{t('projects.none_next')}</p>
      <p>
        <a class="button primary" href="#/new">
          {t('projects.new')}
        </a>
      </p>
    </EmptyNote>
  );
