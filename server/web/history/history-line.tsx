import { t } from '../i18n/t.ts';
import { Badge } from '../shell/badge.tsx';
import { short } from '../shell/format.ts';
import { Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';
import { Graph } from './graph.tsx';
import type { GraphRow } from './graph-lanes.ts';
import type { HistoryRow } from './history-rows.ts';

export interface HistoryLineProps {
  readonly row: HistoryRow;
  readonly graph: GraphRow | undefined;
  readonly pid: string;
  readonly open: boolean;
  readonly query: Readonly<Record<string, string>>;
}

/** A commit, or an attempt beside main, in the history. */
export function HistoryLine({ row, graph, pid, open, query }: HistoryLineProps) {
  const target = linkTo(['p', pid, 'history', row.sha], query);
  return (
    <li class="commit" data-sha={row.sha} data-kind={row.kind} aria-current={open ? 'true' : undefined}>
      {graph !== undefined && <Graph row={graph} side={row.kind === 'attempt'} />}
      <span class="commit-text">
        <a href={target}>
          {row.kind === 'commit'
            ? visibleLine(row.commit.subject)
            : t('history.attempt', {
                unit: visibleLine(row.attempt.unit),
                round: row.attempt.round,
                attempt: row.attempt.attempt,
              })}
        </a>
        {row.kind === 'attempt' && <Badge state={row.attempt.verdict} />}
        {row.kind === 'commit' &&
          row.commit.refs.map((name) => (
            <span key={name} class="tag tag-ref">
              {visibleLine(name)}
            </span>
          ))}
      </span>
      <span class="commit-by">
        {row.kind === 'commit' && (
          <>
            <span class="author">{visibleLine(row.commit.author.name)}</span>
            <Moment ts={row.commit.ts} />
          </>
        )}
        <span class="mono">{short(row.sha)}</span>
      </span>
    </li>
  );
}
