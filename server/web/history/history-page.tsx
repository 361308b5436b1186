import { t } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { CommitView } from './commit-view.tsx';
import { graphLanes } from './graph-lanes.ts';
import { HistoryFilter } from './history-filter.tsx';
import { HistoryLine } from './history-line.tsx';
import { historyRows } from './history-rows.ts';
import { useHistory } from './use-history.ts';

/** The commits of main with what was tried beside it, newest first; one of them open beside the list. */
export function HistoryPage({ project, rest: [open], query }: View) {
  const { pid } = project;
  const { author, grep, path } = query;
  const filtered = [author, grep, path].some((one) => one !== undefined);
  const { value, problem, next, showOlder } = useHistory(project, { author, grep, path });
  const rows = value === undefined ? [] : historyRows(value.commits, value.attempts);
  const graph = filtered ? undefined : graphLanes(rows);
  return (
    <section>
      <HistoryFilter key={`${author} ${grep} ${path}`} pid={pid} author={author} grep={grep} path={path} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && rows.length === 0 && (
        <EmptyNote title={t('history.none')}>
          <a href={linkTo(['p', pid, 'history'])}>{t('history.all')}</a>
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
          {next !== undefined && (
            <button type="button" onClick={showOlder}>
              {t('do.more')}
            </button>
          )}
        </div>
        {open !== undefined && <CommitView key={open} project={project} rev={open} />}
      </div>
    </section>
  );
}
