import type { Gate } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { linkTo } from '../shell/route.ts';

export interface GateBannerProps {
  readonly pid: string;
  readonly gate: Gate;
  readonly revision: number;
  readonly onAnswer: (answer: 'approve' | 'reject') => void;
}

/** The loop waits for a word: approve, or send back with a note. */
export const GateBanner = ({ pid, gate, revision, onAnswer }: GateBannerProps) => (
  <section class="banner tone-wait" aria-label={t('gate.title', { gate: gate.toUpperCase() })} data-gate={gate}>
    <h2>{t('gate.title', { gate: gate.toUpperCase() })}</h2>
    <p>{t('gate.about', { gate: gate.toUpperCase(), rev: revision })}</p>
    <p class="links">
      <a href={linkTo(['p', pid, 'files'], { file: gate === 'prd' ? 'prd/prd.md' : 'sdd/index.html' })}>
        {t('gate.read')}
      </a>
      {revision > 1 && (
        <a
          href={linkTo(['p', pid, 'compare'], {
            from: `${gate}-rev-${revision - 1}`,
            to: `${gate}-rev-${revision}`,
          })}
        >
          {t('gate.compare', { rev: revision - 1 })}
        </a>
      )}
    </p>
    <div class="actions">
      <button type="button" class="primary" onClick={() => onAnswer('approve')}>
        {t('gate.approve')}
      </button>
      <button type="button" onClick={() => onAnswer('reject')}>
        {t('gate.reject')}
      </button>
    </div>
  </section>
);
