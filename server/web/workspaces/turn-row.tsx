import type { Turn } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { Badge } from '../shell/badge.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';
import { PointLine } from './point-line.tsx';

/** A turn with its points, the later one above. */
export function TurnRow({ ws, turn }: { readonly ws: string; readonly turn: Turn }) {
  const { pre, post, state, offset } = turn;
  return (
    <li class="turn" data-turn={turn.turn}>
      <div class="head">
        <h2>
          {t('points.turn')} {pre.task_id !== undefined && <span class="mono">{visibleLine(pre.task_id)}</span>}{' '}
          {pre.actor !== undefined && <span class="quiet">{visibleLine(pre.actor)}</span>}
        </h2>
        <Badge state={state} />
      </div>
      {post !== undefined && <PointLine ws={ws} point={post} before={pre.id} />}
      <PointLine ws={ws} point={pre} before={undefined} />
      <p class="links">
        {post !== undefined && (
          <a href={linkTo(['w', ws, 'point', pre.id], { against: post.id })}>{t('points.turn_changes')}</a>
        )}
        <a href={linkTo(['w', ws, 'restore'], { turn_offset: offset })}>{t('points.turn_undo')}</a>
      </p>
    </li>
  );
}
