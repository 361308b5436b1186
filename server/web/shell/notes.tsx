import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import { language, t, tOf } from '../i18n/t.ts';
import { visible, visibleLine } from './visible.ts';

/** What went wrong, in the server's words, and what to do next. */
export function ProblemNote({ problem, onRetry }: { readonly problem: Problem; readonly onRetry?: () => void }) {
  const title = tOf('problem', problem.code);
  const next = tOf('next', problem.code);
  // The server speaks English.
  const own = problem.hint === undefined || language !== 'en';
  return (
    <div class="note note-bad" role="alert" data-code={problem.code}>
      <strong>{title === problem.code ? t('problem.any') : title}</strong>
      {problem.status !== 0 && <p lang="en">{visible(problem.message)}</p>}
      {problem.faults.length > 0 && (
        <ul lang="en">
          {problem.faults.map(({ at, message }, index) => (
            <li key={index}>
              <code>{visibleLine(at)}</code> {visible(message)}
            </li>
          ))}
        </ul>
      )}
      {own && next !== problem.code && <p class="quiet">{next}</p>}
      {problem.hint !== undefined && (next === problem.code || !own) && (
        <p class="quiet" lang="en">
          {visible(problem.hint)}
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {t('do.retry')}
        </button>
      )}
    </div>
  );
}

/** Nothing is here yet: says so, and names the next step. */
export const EmptyNote = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="note note-empty">
    <strong>{title}</strong>
    {children}
  </div>
);

export const LoadingNote = () => (
  <p class="note note-empty" role="status">
    {t('state.loading')}
  </p>
);
