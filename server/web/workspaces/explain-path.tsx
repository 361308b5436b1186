import { useEffect, useState } from 'preact/hooks';
import { workspaceApi } from '../api/workspace-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { type FilePath, pathLine } from '../paths/file-path.ts';
import { Field } from '../shell/field.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';

export interface ExplainPathProps {
  readonly ws: string;
  /** The path that the address asks for. */
  readonly named: FilePath | undefined;
}

/** Which rule decides about a path. */
export function ExplainPath({ ws, named }: ExplainPathProps) {
  const asked = named === undefined ? '' : pathLine(named);
  const [path, setPath] = useState(asked);
  useEffect(() => setPath(asked), [asked]);
  const { value: answer, problem } = useLoad(
    async () => (named === undefined ? undefined : workspaceApi.explain(ws, { ...named })),
    `${ws} ${JSON.stringify(named)}`,
  );
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = linkTo(['w', ws, 'protection'], { path: path.trim() });
      }}
    >
      <Field id="explain" label={t('protect.explain')} value={path} onChange={setPath} />
      <button type="submit" disabled={path.trim() === ''}>
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
