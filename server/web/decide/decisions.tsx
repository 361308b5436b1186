import { useState } from 'preact/hooks';
import type { Project } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { visible } from '../shell/visible.ts';
import { GateBanner } from './gate-banner.tsx';
import { type GateAnswer, GateDialog } from './gate-dialog.tsx';
import { RecoveryBanner } from './recovery-banner.tsx';

export interface DecisionsProps {
  readonly project: Project;
  readonly reload: () => void;
}

/** What waits for a person: files of a crash, a gate, a block. Nothing where nothing does. */
export function Decisions({ project, reload }: DecisionsProps) {
  const { pid, recovery, gate, status, reason, detail, hint, revisions } = project;
  const [asked, setAsked] = useState<GateAnswer>();
  const waits = status === 'waiting_approval' && gate !== undefined ? gate : undefined;
  return (
    <>
      {recovery !== undefined && <RecoveryBanner recovery={recovery} reload={reload} />}
      {waits !== undefined && (
        <GateBanner
          pid={pid}
          gate={waits}
          revision={revisions[waits]}
          onAnswer={(answer) => setAsked({ answer, gate: waits, revision: revisions[waits] })}
        />
      )}
      {asked !== undefined && (
        <GateDialog
          pid={pid}
          asked={asked}
          waits={waits === asked.gate && revisions[waits] === asked.revision}
          reload={reload}
          onClose={() => setAsked(undefined)}
        />
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
