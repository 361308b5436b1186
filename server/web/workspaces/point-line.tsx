import type { Point } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { bytes } from '../shell/format.ts';
import { format, Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';

export interface PointLineProps {
  readonly ws: string;
  readonly point: Point;
  readonly before: string | undefined;
}

/** A point on one line: when, of which kind, why, how large. */
export const PointLine = ({ ws, point, before }: PointLineProps) => (
  <div class="point" data-point={point.id}>
    <Moment ts={point.ts} />
    <span class="tag">{tOf('phase', point.phase)}</span>
    <span class="break">
      <a href={linkTo(['w', ws, 'point', point.id], { against: before })}>{visibleLine(point.reason)}</a>{' '}
      {point.name !== undefined && <span class="tag tag-ref">{visibleLine(point.name)}</span>}
      {point.pinned && <span class="tag">{t('points.pinned')}</span>}
      {point.noop && <span class="quiet">{t('points.same')}</span>}
      {!point.complete && <span class="tag tag-strong">{t('points.incomplete')}</span>}
    </span>
    <span class="quiet mono">
      {t('points.counts', { n: format.count(point.counts.files) })} · {bytes(point.counts.bytes)}
    </span>
  </div>
);
