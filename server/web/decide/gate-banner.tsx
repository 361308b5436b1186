import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Gate, Project } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import { linkTo } from '../shell/route.ts';

export interface GateBannerProps {
  readonly project: Project;
  readonly gate: Gate;
  readonly reload: () => void;
}

/** The loop waits for a word: approve, or send back with a note. */
export function GateBanner({ project: { pid, revisions }, gate, reload }: GateBannerProps) {
  const [asked, setAsked] = useState<'approve' | 'reject'>();
  const revision = revisions[gate];
  return (
    <section class="banner tone-wait" aria-label={t('gate.title', { gate: gate.toUpperCase() })} data-gate={gate}>
      <h2>{t('gate.title', { gate: gate.toUpperCase() })}</h2>
      <p>{t('gate.about', { gate: gate.toUpperCase(), rev: revision })}</p>
      <p>
        <a href={linkTo(['p', pid, 'files'], { file: gate === 'prd' ? 'prd/prd.md' : 'sdd/index.html' })}>
          {t('gate.read')}
        </a>
        {revision > 1 && (
          <>
            {' · '}
            <a
              href={linkTo(['p', pid, 'compare'], {
                from: `${gate}-rev-${revision - 1}`,
                to: `${gate}-rev-${revision}`,
              })}
            >
              {t('gate.compare', { rev: revision - 1 })}
            </a>
          </>
        )}
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => setAsked('approve')}>
          {t('gate.approve')}
        </button>
        <button type="button" onClick={() => setAsked('reject')}>
          {t('gate.reject')}
        </button>
      </div>
      {asked !== undefined && (
        <AskDialog
          title={t(asked === 'approve' ? 'gate.approve' : 'gate.reject')}
          label={t('gate.note')}
          confirm={t(asked === 'approve' ? 'gate.approve' : 'gate.reject')}
          optional={asked === 'approve'}
          danger={asked === 'reject'}
          onConfirm={async (note) => {
            await projectApi.command(pid, asked, { gate, ...(note === '' ? {} : { note }) });
            reload();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
