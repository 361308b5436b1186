import { t } from '../i18n/t.ts';
import { Badge } from '../shell/badge.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { Nowhere } from '../shell/nowhere.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import { loadTries } from './load-tries.ts';
import { UnitAttempt } from './unit-attempt.tsx';
import { unitTries } from './unit-tries.ts';
import type { View } from './view.ts';

/** A unit's attempts side by side, oldest first, each with its verdict; any two can be compared. */
export function UnitPage({ project, rest: [id = ''] }: View) {
  const { pid, units, updated_at } = project;
  const unit = units.find((one) => one.id === id);
  const { value, problem } = useLoad(() => loadTries(pid, id), `${pid} ${id}`, updated_at);
  if (unit === undefined) return <Nowhere href={linkTo(['p', pid])} text={t('overview.units')} />;
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
            <UnitAttempt key={`${one.round} ${one.attempt}`} pid={pid} one={one} before={tries[at - 1]} />
          ))}
        </div>
      )}
    </section>
  );
}
