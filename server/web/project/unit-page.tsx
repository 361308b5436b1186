import { projectApi } from '../api/project-api.ts';
import type { Attempt, Run } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { RunReport } from '../runs/run-report.tsx';
import { Badge } from '../shell/badge.tsx';
import { short } from '../shell/format.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import { type UnitTry, unitTries } from './unit-tries.ts';
import type { View } from './view.ts';

/** A unit's attempts side by side, oldest first, each with its verdict; any two can be compared. */
export function UnitPage({ project, rest: [id = ''] }: View) {
  const { pid, units, updated_at } = project;
  const unit = units.find((one) => one.id === id);
  const { value, problem } = useLoad(() => attemptsAndRuns(pid, id), `${pid} ${id} ${updated_at}`);
  if (unit === undefined) return <EmptyNote title={t('unit.unknown')} />;
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined) return <LoadingNote />;
  const tries = unitTries(unit.id, { ...value, calls: project.calls });
  return (
    <section>
      <div class="head">
        <h2>
          {visibleLine(unit.id)} <span class="quiet">{visibleLine(unit.title)}</span>
        </h2>
        <Badge state={unit.status} />
      </div>
      {tries.length === 0 ? (
        <EmptyNote title={t('unit.no_attempts')} />
      ) : (
        <div class="tries">
          {tries.map((one, at) => (
            <Try key={`${one.round} ${one.attempt}`} pid={pid} one={one} before={tries[at - 1]} />
          ))}
        </div>
      )}
    </section>
  );
}

async function attemptsAndRuns(
  pid: string,
  unit: string,
): Promise<{ attempts: readonly Attempt[]; runs: readonly Run[] }> {
  const [attempts, runs] = await Promise.all([projectApi.attempts(pid, unit), projectApi.runs(pid, { limit: 500 })]);
  return { attempts: attempts.items, runs: runs.items };
}

interface TryProps {
  readonly pid: string;
  readonly one: UnitTry;
  readonly before: UnitTry | undefined;
}

const Try = ({ pid, one, before }: TryProps) => (
  <article class="try" data-attempt={`${one.round}/${one.attempt}`}>
    <h3>
      {t('unit.round_attempt', { round: one.round, attempt: one.attempt })} <Badge state={one.verdict} />
    </h3>
    <p class="links">
      {one.sha !== undefined && (
        <a class="mono" href={linkTo(['p', pid, 'history', one.sha])}>
          {short(one.sha)}
        </a>
      )}
      {before?.rev !== undefined && one.rev !== undefined && (
        <a href={linkTo(['p', pid, 'compare'], { from: before.rev, to: one.rev })}>{t('unit.compare')}</a>
      )}
    </p>
    {one.run !== undefined && <RunReport pid={pid} run={one.run} />}
  </article>
);
