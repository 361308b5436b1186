import type { Query } from '../api/call.ts';
import { t, tOf } from '../i18n/t.ts';
import { Badge } from '../shell/badge.tsx';
import { duration, short } from '../shell/format.ts';
import { format, Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';
import type { RunRow } from './run-rows.ts';

export interface RunLineProps {
  readonly row: RunRow;
  readonly pid: string;
  readonly open: boolean;
  /** Of the list: it stays when one is opened. */
  readonly query: Query;
}

/** A call or run in the timeline. */
export function RunLine({ row, pid, open, query }: RunLineProps) {
  const { unit, round, attempt } = row.kind === 'call' ? row.call : row.run;
  const { usage = {}, duration_ms, sha } = row.kind === 'call' ? row.call : {};
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  return (
    <tr data-id={row.id} data-kind={row.kind} aria-current={open ? 'true' : undefined}>
      <td>
        <Moment ts={row.ts} />
      </td>
      <td>
        <a class="title" href={linkTo(['p', pid, 'runs', row.id], query)}>
          {row.kind === 'call' ? tOf('role', row.call.role) : tOf('runkind', row.run.kind)}
        </a>
        <Source row={row} />
      </td>
      <td>
        {unit !== undefined && <span>{visibleLine(unit)} </span>}
        {round !== undefined && (
          <span class="quiet mono nowrap">
            {attempt === undefined ? t('unit.round', { round }) : t('unit.short', { round, attempt })}
          </span>
        )}
      </td>
      <td>
        <Badge state={row.kind === 'call' ? row.call.status : row.run.outcome} />
        {row.kind === 'run' && (
          <span class="mono quiet">
            {' '}
            {row.run.passed}/{row.run.total}
          </span>
        )}
      </td>
      <td class="mono number">{duration_ms === undefined ? '' : duration(duration_ms)}</td>
      <td class="mono number">{tokens === 0 ? '' : format.count(tokens)}</td>
      <td class="mono number">{usage.cost === undefined ? '' : format.cost(usage.cost)}</td>
      <td>
        {sha !== undefined && (
          <a class="mono" href={linkTo(['p', pid, 'history', sha])}>
            {short(sha)}
          </a>
        )}
      </td>
    </tr>
  );
}

/** Where the decisions were replayed it is said at once: nothing scripted passes for live. */
function Source({ row }: { readonly row: RunRow }) {
  if (row.kind === 'run') return <span class="tag">{t('runs.by_server')}</span>;
  const { source, driver } = row.call;
  if (source !== undefined) return <span class="tag tag-strong">{tOf('source', source)}</span>;
  return driver === undefined ? null : <span class="tag">{tOf('driver', driver)}</span>;
}
