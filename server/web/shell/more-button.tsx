import { t } from '../i18n/t.ts';

export interface MoreButtonProps {
  readonly busy: boolean;
  readonly onClick: () => void;
  readonly text?: string;
}

/** Shows the next page of a list. */
export const MoreButton = ({ busy, onClick, text = t('do.more') }: MoreButtonProps) => (
  <p>
    <button type="button" class="more" aria-busy={busy} onClick={() => !busy && onClick()}>
      {text}
    </button>
  </p>
);
