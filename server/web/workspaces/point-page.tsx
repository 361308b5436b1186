import type { Point } from '../api/types.ts';
import { workspaceApi } from '../api/workspace-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { Moment } from '../shell/moment.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import type { FolderView } from './folder-view.ts';
import { PointDifference } from './point-difference.tsx';
import { NestedList, ReasonList } from './reason-list.tsx';

/** A point: what changed against another or against now, what was left out and by which rule, the repositories in it. */
export function PointPage({ workspace: { id: ws }, rest: [id = ''], query }: FolderView) {
  const { against = 'now' } = query;
  const point = useLoad(() => workspaceApi.point(ws, id), `${ws} ${id}`);
  const diff = useLoad(() => workspaceApi.diff(ws, id, { against }), `${ws} ${id} ${against}`);
  if (point.value === undefined)
    return point.problem === undefined ? (
      <LoadingNote />
    ) : (
      <ProblemNote problem={point.problem} onRetry={point.reload} />
    );
  return (
    <section>
      <PointHead ws={ws} point={point.value} />
      <h2>{t('point.changes', { against: against === 'now' ? t('point.now') : against })}</h2>
      <p class="links">
        <a href={linkTo(['w', ws, 'point', id])}>{t('point.against_now')}</a>
        {diff.value !== undefined && (
          <span class="mono quiet">
            {diff.value.from} → {diff.value.to}
          </span>
        )}
      </p>
      {diff.problem !== undefined && <ProblemNote problem={diff.problem} onRetry={diff.reload} />}
      {diff.value === undefined && diff.problem === undefined && <LoadingNote />}
      {diff.value !== undefined && <PointDifference {...{ ws, point: id, against }} diff={diff.value} />}
      <ReasonList title={t('point.left_out')} rows={point.value.left_out} ws={ws} />
      <NestedList rows={point.value.nested} />
    </section>
  );
}

const PointHead = ({ ws, point }: { readonly ws: string; readonly point: Point }) => (
  <>
    <h2>{visibleLine(point.reason)}</h2>
    <p>
      <span class="tag">{tOf('phase', point.phase)}</span> <Moment ts={point.ts} />{' '}
      <span class="mono quiet">{point.id}</span>
    </p>
    <p class="actions">
      {point.phase === 'POST_TURN' ? (
        <span class="quiet">{t('point.post_turn')}</span>
      ) : (
        <a class="button" href={linkTo(['w', ws, 'restore'], { checkpoint: point.id })}>
          {t('point.restore')}
        </a>
      )}
      <a class="button" href={linkTo(['w', ws, 'restore'], { checkpoint: point.id, target: 'new' })}>
        {t('point.restore_new')}
      </a>
    </p>
  </>
);
