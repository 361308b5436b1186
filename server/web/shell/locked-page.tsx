import { useState } from 'preact/hooks';
import { keepToken, refusal } from '../api/session.ts';
import { t } from '../i18n/t.ts';
import { ProblemNote } from './notes.tsx';
import { useTitle } from './use-title.ts';

/** Without a token: how to come by one. */
export function LockedPage() {
  const [value, setValue] = useState('');
  const refused = refusal();
  useTitle(t('locked.title'));
  return (
    <section class="narrow">
      <h1>{t('locked.title')}</h1>
      {refused !== undefined && <ProblemNote problem={refused} />}
      <p>{t('locked.how')}</p>
      <pre>devloop serve</pre>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim() !== '') keepToken(value.trim());
        }}
      >
        <label for="token">{t('locked.token')}</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p class="quiet">{t('locked.where')}</p>
        <div class="actions">
          <button type="submit" class="primary">
            {t('locked.open')}
          </button>
        </div>
      </form>
    </section>
  );
}
