import { useMemo } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import { t, tOf } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { EmptyNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { RunDetail } from './run-detail.tsx';
import { RunLine } from './run-line.tsx';
import { runRows } from './run-rows.ts';

/** Every call of an agent and every run of tests, newest first, with what came of it; one of them open beside the list. */
export function RunsPage({ project, live, rest: [open], query: { role, unit } }: View) {
  const { pid, calls, updated_at } = project;
  const judged = live.events.findLast(({ kind }) => kind === 'test_result' || kind === 'integration_result')?.seq ?? 0;
  const { value, problem } = useLoad(() => projectApi.runs(pid, { limit: 500 }), `${pid} ${judged} ${updated_at}`);
  const runs = value?.items ?? [];
  const rows = useMemo(() => runRows({ calls, runs }, { role, unit }), [calls, runs, role, unit]);
  const shown = rows.find(({ id }) => id === open);
  return (
    <section>
      <div class="head">
        <h2>{t('runs.title')}</h2>
        {role !== undefined && <a href={linkTo(['p', pid, 'runs'])}>{t('runs.only', { role: tOf('role', role) })}</a>}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {rows.length === 0 ? (
        <EmptyNote title={t('runs.none')}>{project.status === 'created' && <p>{t('runs.none_next')}</p>}</EmptyNote>
      ) : (
        <div class={shown === undefined ? 'split-view' : 'split-view has-detail'}>
          <table class="rows runs">
            <thead>
              <tr>
                <th scope="col">{t('runs.when')}</th>
                <th scope="col">{t('runs.who')}</th>
                <th scope="col">{t('runs.unit')}</th>
                <th scope="col">{t('runs.outcome')}</th>
                <th scope="col">{t('runs.duration')}</th>
                <th scope="col">{t('runs.tokens')}</th>
                <th scope="col">{t('runs.cost')}</th>
                <th scope="col">{t('runs.commit')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <RunLine key={row.id} row={row} pid={pid} open={row.id === open} />
              ))}
            </tbody>
          </table>
          {shown !== undefined && <RunDetail row={shown} pid={pid} runs={runs} events={live.events} />}
        </div>
      )}
    </section>
  );
}
