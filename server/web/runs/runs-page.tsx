import { useMemo } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Run } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { MoreButton } from '../shell/more-button.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { usePages } from '../shell/use-pages.ts';
import { RunDetail } from './run-detail.tsx';
import { RunLine } from './run-line.tsx';
import { runRows } from './run-rows.ts';

const NONE: readonly Run[] = [];

/** Every call of an agent and every run of tests, newest first, with what came of it; one of them open beside the list. */
export function RunsPage({ project, live, rest: [open], query: { role, unit } }: View) {
  const { pid, calls, updated_at } = project;
  const filter = { role, unit };
  const judged = live.events.findLast(({ kind }) => kind === 'test_result' || kind === 'integration_result')?.seq ?? 0;
  const { value, problem, more, loading, showMore } = usePages(
    (cursor) => projectApi.runs(pid, { limit: 500, cursor }),
    pid,
    `${judged} ${updated_at}`,
  );
  const runs = value ?? NONE;
  const rows = useMemo(() => runRows({ calls, runs }, { role, unit }), [calls, runs, role, unit]);
  const shown = rows.find(({ id }) => id === open);
  return (
    <section>
      <div class="head">
        <h2>{t('runs.title')}</h2>
        {role !== undefined && <a href={linkTo(['p', pid, 'runs'])}>{t('runs.only', { role: tOf('role', role) })}</a>}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && open !== undefined && shown === undefined && <EmptyNote title={t('run.unknown')} />}
      {rows.length === 0 ? (
        value !== undefined && (
          <EmptyNote title={t('runs.none')}>{project.status === 'created' && <p>{t('runs.none_next')}</p>}</EmptyNote>
        )
      ) : (
        <div class={shown === undefined ? 'split-view' : 'split-view has-detail'}>
          <table class="rows runs">
            <thead>
              <tr>
                <th scope="col">{t('runs.when')}</th>
                <th scope="col">{t('runs.who')}</th>
                <th scope="col">{t('runs.unit')}</th>
                <th scope="col">{t('runs.outcome')}</th>
                <th scope="col" class="number">
                  {t('runs.duration')}
                </th>
                <th scope="col" class="number">
                  {t('runs.tokens')}
                </th>
                <th scope="col" class="number">
                  {t('runs.cost')}
                </th>
                <th scope="col">{t('runs.commit')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <RunLine key={row.id} row={row} pid={pid} open={row.id === open} query={filter} />
              ))}
            </tbody>
          </table>
          {shown !== undefined && <RunDetail row={shown} pid={pid} runs={runs} events={live.events} query={filter} />}
        </div>
      )}
      {more && <MoreButton busy={loading} onClick={showMore} />}
    </section>
  );
}
