import type { Project } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { visible } from '../shell/visible.ts';
import { GateBanner } from './gate-banner.tsx';
import { RecoveryBanner } from './recovery-banner.tsx';

export interface DecisionsProps {
  readonly project: Project;
  readonly reload: () => void;
}

/** What waits for a person: files of a crash, a gate, a block. Nothing where nothing does. */
export function Decisions({ project, reload }: DecisionsProps) {
  const { recovery, gate, status, reason, detail, hint } = project;
  return (
    <>
      {recovery !== undefined && <RecoveryBanner recovery={recovery} reload={reload} />}
      {status === 'waiting_approval' && gate !== undefined && (
        <GateBanner key={gate} project={project} gate={gate} reload={reload} />
      )}
      {status === 'blocked' && (
        <section class="banner tone-bad" aria-label={t('blocked.title')}>
          <h2>{t('blocked.title')}</h2>
          <p>
            <strong>{tOf('reason', reason ?? '')}</strong>
          </p>
          {detail !== undefined && <pre class="say">{visible(detail)}</pre>}
          <p>{hint ?? t('blocked.next')}</p>
        </section>
      )}
    </>
  );
}
