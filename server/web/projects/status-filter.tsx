import type { ProjectStatus } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { linkTo } from '../shell/route.ts';

const STATUSES: readonly ProjectStatus[] = [
  'running',
  'waiting_approval',
  'blocked',
  'paused',
  'created',
  'cancelled',
  'shipped',
  'shipped-final',
  'abandoned',
];

/** Which projects are listed. */
export const StatusFilter = ({ status }: { readonly status: string | undefined }) => (
  <nav class="filter" aria-label={t('projects.filter')}>
    <a href="#/" aria-current={status === undefined ? 'true' : undefined}>
      {t('projects.all')}
    </a>
    {STATUSES.map((name) => (
      <a key={name} href={linkTo([], { status: name })} aria-current={status === name ? 'true' : undefined}>
        {tOf('status', name)}
      </a>
    ))}
  </nav>
);
