import { t } from '../i18n/t.ts';
import { RunReport } from '../runs/run-report.tsx';
import { Badge } from '../shell/badge.tsx';
import { short } from '../shell/format.ts';
import { linkTo } from '../shell/route.ts';
import type { UnitTry } from './unit-tries.ts';

export interface UnitAttemptProps {
  readonly pid: string;
  readonly one: UnitTry;
  readonly before: UnitTry | undefined;
}

/** One attempt at a unit, with what the tests said of it. */
export const UnitAttempt = ({ pid, one, before }: UnitAttemptProps) => (
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
