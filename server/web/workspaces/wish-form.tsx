import { useState } from 'preact/hooks';
import { t } from '../i18n/t.ts';
import { Field } from '../shell/field.tsx';
import { linkTo } from '../shell/route.ts';
import type { FolderView } from './folder-view.ts';

/** Where to, and which paths. */
export function WishForm({ ws, query }: { readonly ws: string; readonly query: FolderView['query'] }) {
  const [target, setTarget] = useState(query.target ?? 'in_place');
  const [path, setPath] = useState(query.path ?? '');
  const [only, setOnly] = useState(query.only ?? '');
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        const into = target === 'new' ? { target, path } : { target: undefined, path: undefined };
        location.hash = linkTo(['w', ws, 'restore'], { ...query, ...into, only });
      }}
    >
      <div class="field">
        <label for="target">{t('restore.where')}</label>
        <select id="target" value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
          <option value="in_place">{t('restore.in_place')}</option>
          <option value="new">{t('restore.new')}</option>
        </select>
      </div>
      {target === 'new' && <Field id="into" label={t('restore.path')} value={path} onChange={setPath} />}
      <div class="field">
        <label for="only">{t('restore.only')}</label>
        <textarea
          id="only"
          rows={Math.min(6, only.split('\n').length)}
          spellcheck={false}
          value={only}
          onInput={(event) => setOnly(event.currentTarget.value)}
        />
      </div>
      <button type="submit">{t('restore.plan')}</button>
    </form>
  );
}
