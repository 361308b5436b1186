import type { Query } from '../api/call.ts';
import type { Call, Run } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import type { LiveEvent } from '../live/live-event.ts';
import { Badge } from '../shell/badge.tsx';
import { Detail } from '../shell/detail.tsx';
import { duration, short } from '../shell/format.ts';
import { format, Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { visible } from '../shell/visible.ts';
import { RunOutput } from './run-output.tsx';
import { RunReport } from './run-report.tsx';
import { type RunRow, runOfCall } from './run-rows.ts';

export interface RunDetailProps {
  readonly row: RunRow;
  readonly pid: string;
  readonly runs: readonly Run[];
  readonly events: readonly LiveEvent[];
  readonly query: Query;
}

/** One call or run whole: what it was given and cost, its commit, what it printed, and the verdict over it. */
export function RunDetail({ row, pid, runs, events, query }: RunDetailProps) {
  const judged = row.kind === 'call' ? runOfCall(row.call, runs)?.run : row.run.run;
  const title = row.kind === 'call' ? tOf('role', row.call.role) : tOf('runkind', row.run.kind);
  return (
    <Detail label={title} id={row.id}>
      <div class="head">
        <h3>{title}</h3>
        <a class="button" href={linkTo(['p', pid, 'runs'], query)}>
          {t('do.close')}
        </a>
      </div>
      {row.kind === 'call' && <CallFacts call={row.call} pid={pid} />}
      {judged !== undefined && (
        <>
          <h4>{t('run.verdict')}</h4>
          <RunReport pid={pid} run={judged} />
        </>
      )}
      {row.kind === 'call' && <RunOutput call={row.call.call} events={events} />}
    </Detail>
  );
}

function CallFacts({ call, pid }: { readonly call: Call; readonly pid: string }) {
  const { usage = {}, sha, reason, detail, layers = [], source, driver } = call;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('call.id'), call.call],
    [t('call.by'), driver === undefined ? undefined : tOf('driver', driver)],
    [t('call.source'), source === undefined ? undefined : tOf('source', source)],
    [t('call.duration'), call.duration_ms === undefined ? undefined : duration(call.duration_ms)],
    [t('call.input'), usage.input_tokens === undefined ? undefined : format.count(usage.input_tokens)],
    [t('call.output'), usage.output_tokens === undefined ? undefined : format.count(usage.output_tokens)],
    [t('call.cost'), usage.cost === undefined ? undefined : format.cost(usage.cost)],
    [t('call.layers'), layers.length === 0 ? undefined : layers.join(', ')],
  ];
  return (
    <>
      <p>
        <Badge state={call.status} /> <Moment ts={call.started_at} />
        {sha !== undefined && (
          <>
            {' · '}
            <a href={linkTo(['p', pid, 'history', sha])}>{t('call.commit', { sha: short(sha) })}</a>
          </>
        )}
      </p>
      {(reason !== undefined || detail !== undefined) && (
        <pre class="say">{visible([reason && tOf('reason', reason), detail].filter(Boolean).join('\n'))}</pre>
      )}
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </>
  );
}
