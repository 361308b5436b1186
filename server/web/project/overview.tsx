import { Decisions } from '../decide/decisions.tsx';
import { t, tOf } from '../i18n/t.ts';
import { Pipeline } from '../pipeline/pipeline.tsx';
import { Badge } from '../shell/badge.tsx';
import { short } from '../shell/format.ts';
import { format, Moment } from '../shell/moment.tsx';
import { EmptyNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { visible, visibleLine } from '../shell/visible.ts';
import { EventRow } from './event-row.tsx';
import type { View } from './view.ts';

const LATEST = 12;

/** What the team is doing now, what waits for a person, and what happened last. */
export function Overview({ project, live, reload }: View) {
  const latest = live.events.filter(({ kind }) => kind !== 'agent_output').slice(-LATEST);
  return (
    <>
      <Decisions project={project} reload={reload} />
      <Pipeline project={project} events={live.events} />
      <div class="columns">
        <section>
          <h2>{t('overview.units')}</h2>
          <UnitTable view={project} />
          <h2>{t('overview.latest')}</h2>
          <div class="latest">
            {latest.toReversed().map((event) => (
              <EventRow key={event.seq} event={event} pid={project.pid} />
            ))}
          </div>
          <p>
            <a href={linkTo(['p', project.pid, 'events'])}>{t('overview.all_events')}</a>
          </p>
        </section>
        <Facts project={project} />
      </div>
    </>
  );
}

function UnitTable({ view: { pid, units } }: { readonly view: View['project'] }) {
  if (units.length === 0) return <EmptyNote title={t('overview.no_units')} />;
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">{t('unit.unit')}</th>
          <th scope="col">{t('unit.status')}</th>
          <th scope="col">{t('unit.attempt')}</th>
          <th scope="col">{t('unit.after')}</th>
        </tr>
      </thead>
      <tbody>
        {units.map((unit) => (
          <tr key={unit.id} data-unit={unit.id}>
            <td class="wide">
              <a class="title" href={linkTo(['p', pid, 'units', unit.id])}>
                {visibleLine(unit.id)}
              </a>
              <span class="quiet">{visibleLine(unit.title)}</span>
            </td>
            <td>
              <Badge state={unit.status} />
            </td>
            <td class="mono">{t('unit.round_attempt', { round: unit.round, attempt: unit.attempt })}</td>
            <td class="mono quiet">{unit.depends_on.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Facts({ project }: { readonly project: View['project'] }) {
  const { spent, revisions, head, path, requirement, team, settings } = project;
  const budget = settings.budget.tokens;
  return (
    <aside class="facts" aria-label={t('facts.label')}>
      <h2>{t('facts.requirement')}</h2>
      <p class="requirement">{visible(requirement)}</p>
      <dl>
        <dt>{t('facts.revisions')}</dt>
        <dd>
          PRD {revisions.prd} · SDD {revisions.sdd}
        </dd>
        <dt>{t('facts.round')}</dt>
        <dd>
          {project.round} / {settings.integration_rounds}
        </dd>
        <dt>{t('facts.team')}</dt>
        <dd>{tOf('driver', team.default.driver)}</dd>
        <dt>{t('facts.calls')}</dt>
        <dd>{format.count(spent.calls)}</dd>
        <dt>{t('facts.tokens')}</dt>
        <dd>
          {format.count(spent.tokens)}
          {budget !== undefined && ` / ${format.count(budget)}`}
        </dd>
        <dt>{t('facts.cost')}</dt>
        <dd>{format.cost(spent.cost)}</dd>
        <dt>{t('facts.head')}</dt>
        <dd>
          <a class="mono" href={linkTo(['p', project.pid, 'history', head])}>
            {short(head)}
          </a>
        </dd>
        <dt>{t('facts.created')}</dt>
        <dd>
          <Moment ts={project.created_at} />
        </dd>
        <dt>{t('facts.folder')}</dt>
        <dd class="mono break">{path}</dd>
      </dl>
    </aside>
  );
}
