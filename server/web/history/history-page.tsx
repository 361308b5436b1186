import { t } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { MoreButton } from '../shell/more-button.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { CommitView } from './commit-view.tsx';
import { graphLanes } from './graph-lanes.ts';
import { HistoryFilter } from './history-filter.tsx';
import { HistoryLine } from './history-line.tsx';
import { historyRows } from './history-rows.ts';
import { useHistory } from './use-history.ts';

/** The commits of main with what was tried beside it, newest first; one of them open beside the list. */
export function HistoryPage({ project, rest: [open], query, reload }: View) {
  const { pid } = project;
  const { author, grep, path, path_b64 } = query;
  const filtered = [author, grep, path].some((one) => one !== undefined);
  const {
    value,
    attempts,
    problem,
    loading,
    more,
    showMore,
    reload: again,
  } = useHistory(project, { author, grep, path, path_b64 });
  const rows = value === undefined ? [] : historyRows(value, attempts);
  const renew = () => {
    again();
    reload();
  };
  const graph = filtered ? undefined : graphLanes(rows);
  return (
    <section>
      <HistoryFilter key={`${author} ${grep} ${path}`} pid={pid} author={author} grep={grep} path={path} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && rows.length === 0 && (
        <EmptyNote title={t('history.none')}>
          <p>
            <a href={linkTo(['p', pid, 'history'])}>{t('history.all')}</a>
          </p>
        </EmptyNote>
      )}
      <div class={open === undefined ? 'split-view' : 'split-view has-detail'}>
        <div>
          <ol class="history" aria-label={t('history.label')}>
            {rows.map((row, at) => (
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
