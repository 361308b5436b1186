import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import type { FolderView } from './folder-view.ts';
import { KeepPoint } from './keep-point.tsx';
import { PointLine } from './point-line.tsx';
import { RestoreList } from './restore-list.tsx';
import { timeRows } from './time-line-rows.ts';
import { TurnRow } from './turn-row.tsx';

/** Points and turns, newest first: what can be looked at, and what can be gone back to. */
export function TimeLine({ workspace: { id: ws } }: FolderView) {
  const { value, problem, reload } = useLoad(async () => {
    const [points, turns] = await Promise.all([
      workspaceApi.points(ws, { limit: 500 }),
      workspaceApi.turns(ws, { limit: 500 }),
    ]);
    return {
      rows: timeRows(points.items, turns.items),
      more: points.next !== undefined || turns.next !== undefined,
      turns: turns.items,
    };
  }, `${ws} points`);
  if (problem !== undefined) return <ProblemNote problem={problem} onRetry={reload} />;
  if (value === undefined) return <LoadingNote />;
  const { rows, more, turns } = value;
  return (
    <section>
      <div class="actions">
        <KeepPoint ws={ws} onDone={reload} />
        {turns.length > 0 && (
          <a class="button" href={linkTo(['w', ws, 'restore'], { turn_offset: 0 })}>
            {t('points.undo')}
          </a>
        )}
      </div>
      {rows.length === 0 && (
        <EmptyNote title={t('points.none')}>
          <p>{t('points.none_next')}</p>
          <pre>devloop turn -- COMMAND</pre>
        </EmptyNote>
      )}
      <ol class="time-line">
        {rows.map((row) =>
          row.kind === 'turn' ? (
            <TurnRow key={row.id} ws={ws} turn={row.turn} />
          ) : (
            <li key={row.id} data-point={row.id}>
              <PointLine ws={ws} point={row.point} before={row.before} />
            </li>
          ),
        )}
      </ol>
      <RestoreList ws={ws} onDone={reload} />
      {more && <p class="quiet">{t('points.more')}</p>}
    </section>
  );
}
