import { useState } from 'preact/hooks';
import { t, tOf } from '../i18n/t.ts';
import { Field } from '../shell/field.tsx';
import { linkTo } from '../shell/route.ts';

export interface HistoryFilterProps {
  readonly pid: string;
  readonly author: string | undefined;
  readonly grep: string | undefined;
  readonly path: string | undefined;
}

/** The names that commits are signed with. */
const AUTHORS = ['pm', 'architect', 'coder', 'integrator', 'triager', 'devloop'] as const;

/** Which commits are listed: by author, words of the message, and file. */
export function HistoryFilter({ pid, ...given }: HistoryFilterProps) {
  const [author, setAuthor] = useState(given.author ?? '');
  const [grep, setGrep] = useState(given.grep ?? '');
  const [path, setPath] = useState(given.path ?? '');
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = linkTo(['p', pid, 'history'], { author, grep: grep.trim(), path: path.trim() });
      }}
    >
      <div class="field">
        <label for="author">{t('history.author')}</label>
        <select id="author" value={author} onChange={(event) => setAuthor(event.currentTarget.value)}>
          <option value="">{t('history.anybody')}</option>
          {AUTHORS.map((name) => (
            <option key={name} value={`${name}@`}>
              {tOf('author', name)}
            </option>
          ))}
        </select>
      </div>
      <Field id="grep" label={t('history.grep')} value={grep} onChange={setGrep} />
      <Field id="path" label={t('history.path')} value={path} onChange={setPath} />
      <button type="submit">{t('history.filter')}</button>
    </form>
  );
}
