import { t } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { MoreButton } from '../shell/more-button.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { CommitView } from './commit-view.tsx';
import { HistoryFilter } from './history-filter.tsx';
import { HistoryLine } from './history-line.tsx';
import { Uncommitted } from './uncommitted.tsx';
import { useHistory } from './use-history.ts';

/** The commits of main with what was tried beside it, newest first; one of them open beside the list. */
export function HistoryPage({ project, rest: [open], query, reload }: View) {
  const { pid } = project;
  const { author, grep, path, path_b64 } = query;
  const {
    rows,
    graph,
    problem,
    loading,
    more,
    showMore,
    reload: again,
  } = useHistory(project, { author, grep, path, path_b64 });
  const renew = () => {
    again();
    reload();
  };
  return (
    <section>
      <HistoryFilter key={`${author} ${grep} ${path}`} pid={pid} author={author} grep={grep} path={path} />
      <Uncommitted project={project} reload={reload} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {rows === undefined && problem === undefined && <LoadingNote />}
      {rows?.length === 0 && (
        <EmptyNote title={t('history.none')}>
          <p>
            <a href={linkTo(['p', pid, 'history'])}>{t('history.all')}</a>
          </p>
        </EmptyNote>
      )}
      <div class={open === undefined ? 'split-view' : 'split-view has-detail'}>
        <div>
          <ol class="history" aria-label={t('history.label')}>
            {rows?.map((row, at) => (
              <HistoryLine
                key={row.sha}
                row={row}
                graph={graph?.[at]}
                pid={pid}
                open={row.sha === open}
                query={query}
              />
            ))}
          </ol>
          {more && <MoreButton busy={loading} onClick={showMore} />}
        </div>
        {open !== undefined && <CommitView key={open} project={project} rev={open} query={query} reload={renew} />}
      </div>
    </section>
  );
}
