import { useState } from 'preact/hooks';
import type { Explained } from '../api/types.ts';
import { workspaceApi } from '../api/workspace-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { Field } from '../shell/field.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { useAction } from '../shell/use-action.ts';

/** Which rule decides about a path. */
export function ExplainPath({ ws }: { readonly ws: string }) {
  const [path, setPath] = useState('');
  const [answer, setAnswer] = useState<Explained>();
  const { run, busy, problem } = useAction(async () => setAnswer(await workspaceApi.explain(ws, path.trim())));
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Field id="explain" label={t('protect.explain')} value={path} onChange={setPath} />
      <button type="submit" disabled={busy || path.trim() === ''}>
        {t('protect.ask')}
      </button>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {answer !== undefined && (
        <p role="status" class="answer" data-included={String(answer.included)}>
          <strong>{t(answer.included ? 'protect.included' : 'protect.excluded')}</strong>
          {answer.reason !== undefined && ` — ${tOf('left_out', answer.reason)}`}
          {answer.rule !== undefined && (
            <>
              {' '}
              <code>{answer.rule.pattern}</code> <span class="quiet">{answer.rule.source}</span>
            </>
          )}
        </p>
      )}
    </form>
  );
}
