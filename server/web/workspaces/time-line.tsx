import { t } from '../i18n/t.ts';
import { MoreButton } from '../shell/more-button.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import type { FolderView } from './folder-view.ts';
import { KeepPoint } from './keep-point.tsx';
import { RestoreList } from './restore-list.tsx';
import { TimeRows } from './time-rows.tsx';
import { useTimeLine } from './use-time-line.ts';

/** Points and turns, newest first: what can be looked at, and what can be gone back to. */
export function TimeLine({ workspace: { id: ws } }: FolderView) {
  const { value, problem, loading, reload, showOlder } = useTimeLine(ws);
  if (value === undefined)
    return problem === undefined ? <LoadingNote /> : <ProblemNote problem={problem} onRetry={reload} />;
  const { rows, more, turns } = value;
  return (
    <section>
      <div class="actions">
        <KeepPoint ws={ws} onDone={reload} />
        {turns > 0 && (
          <a class="button" href={linkTo(['w', ws, 'restore'], { turn_offset: 0 })}>
            {t('points.undo')}
          </a>
        )}
        <button type="button" onClick={reload}>
          {t('do.again')}
        </button>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {rows.length === 0 && (
        <EmptyNote title={t('points.none')}>
          <p>{t('points.none_next')}</p>
          <pre>devloop turn -- COMMAND</pre>
        </EmptyNote>
      )}
      <TimeRows ws={ws} rows={rows} />
      {more && <MoreButton busy={loading} onClick={showOlder} text={t('points.older')} />}
      <RestoreList ws={ws} onDone={reload} />
    </section>
  );
}
