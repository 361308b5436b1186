import { useEffect, useRef } from 'preact/hooks';
import type { RestorePlan } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { pathKey, pathLine } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { bytes } from '../shell/format.ts';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';
import type { FolderView } from './folder-view.ts';
import { ReasonList } from './reason-list.tsx';

export interface PlanViewProps {
  readonly plan: RestorePlan;
  readonly ws: string;
  readonly query: FolderView['query'];
  readonly busy: boolean;
  readonly onApply: () => void;
}

const LISTS = ['adds', 'overwrites', 'deletes', 'modes'] as const;

/** What a restore would do, path by path, before it does anything. The focus is on the way out, not on the way in. */
export function PlanView({ plan, ws, query, busy, onApply }: PlanViewProps) {
  const leave = useRef<HTMLAnchorElement>(null);
  useEffect(() => leave.current?.focus(), []);
  const later = LISTS.some((list) => plan[list].some(({ changed_after }) => changed_after));
  const onlyOf = (path: string) => linkTo(['w', ws, 'restore'], { ...query, only: path });
  const nothing = LISTS.every((list) => plan[list].length === 0) && plan.folders.length === 0;
  return (
    <div class="plan" data-plan={plan.id}>
      <p class="plan-sum" role="status">
        {LISTS.map((list) => (
          <span key={list} class={`sum sum-${list}`} data-list={list}>
            <strong>{plan[list].length}</strong> {tOf('plan', list)}
          </span>
        ))}
        <span class="quiet">{bytes(plan.bytes)}</span>
      </p>
      {nothing && <p class="note note-empty">{t('restore.nothing')}</p>}
      {later && query.checkpoint === undefined && query.target !== 'new' && (
        <p class="note">
          {t('restore.later')}{' '}
          <a href={linkTo(['w', ws, 'restore'], { ...query, scope: query.scope === 'agent' ? undefined : 'agent' })}>
            {t(query.scope === 'agent' ? 'restore.scope_all' : 'restore.scope_agent')}
          </a>
        </p>
      )}
      {LISTS.map((list) => (
        <PathList key={list} list={list} rows={plan[list]} onlyOf={onlyOf} />
      ))}
      <ReasonList title={t('plan.kept')} rows={plan.kept} />
      <ReasonList title={t('plan.blocked')} rows={plan.blocked} />
      {plan.nested_moved.length > 0 && (
        <p class="note">
          {t('plan.moved')}{' '}
          {plan.nested_moved
            .map(
              ({ path, was, is }) =>
                `${pathLine({ path: path || '.' })}: ${visibleLine(was ?? '–')} → ${visibleLine(is ?? '–')}`,
            )
            .join('; ')}
        </p>
      )}
      <div class="actions">
        <a ref={leave} class="button" href={linkTo(['w', ws])}>
          {t('restore.leave')}
        </a>
        <button type="button" class="danger" disabled={busy || nothing} onClick={onApply}>
          {t('restore.apply')}
        </button>
      </div>
    </div>
  );
}

interface PathListProps {
  readonly list: (typeof LISTS)[number];
  readonly rows: RestorePlan['adds'];
  /** Where the plan for one path alone is. */
  readonly onlyOf: (path: string) => string;
}

const PathList = ({ list, rows, onlyOf }: PathListProps) =>
  rows.length === 0 ? null : (
    <details open={rows.length <= 50}>
      <summary>
        {tOf('plan', list)} ({rows.length})
      </summary>
      <Portion
        class="changes"
        items={rows}
        row={({ changed_after, type_change, ...named }) => (
          <li key={pathKey(named)} data-path={named.path} data-list={list}>
            <span class="mono break">
              <PathName named={named} />
            </span>
            {changed_after && <span class="tag tag-strong">{t('plan.changed_after')}</span>}
            {type_change && <span class="tag">{t('plan.type_change')}</span>}
            {named.path_b64 === undefined && (
              <a
                class="only-this"
                href={onlyOf(named.path)}
                aria-label={t('restore.only_one', { path: pathLine(named) })}
              >
                {t('restore.only_this')}
              </a>
            )}
          </li>
        )}
      />
    </details>
  );
