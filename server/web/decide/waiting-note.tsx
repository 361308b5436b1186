import { projectApi } from '../api/project-api.ts';
import { t } from '../i18n/t.ts';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';

/** Projects that wait until somebody says what becomes of the files of a crash. Nothing where none does. */
export function WaitingNote({ round }: { readonly round: string }) {
  const { value } = useLoad(() => projectApi.recoveries(), 'recoveries', round);
  if (value === undefined || value.items.length === 0) return null;
  return (
    <section class="banner tone-wait" aria-label={t('recovery.title')}>
      <h2>{t('recovery.title')}</h2>
      <ul class="changes">
        {value.items.map(({ pid, files }) => (
          <li key={pid} data-waiting={pid}>
            <a class="mono" href={linkTo(['p', pid])}>
              {pid}
            </a>{' '}
            <span class="quiet">{t('event.recovery_dirty_tree', { n: files.length })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
