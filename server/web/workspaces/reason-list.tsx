import type { Point } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { visibleLine } from '../shell/visible.ts';

export interface ReasonListProps {
  readonly title: string;
  readonly rows: readonly { readonly path: string; readonly reason: string }[];
}

/** Paths, each with the reason that holds for it; nothing where there are none. */
export const ReasonList = ({ title, rows }: ReasonListProps) =>
  rows.length === 0 ? null : (
    <details class="reasons">
      <summary>
        {title} ({rows.length})
      </summary>
      <ul class="changes">
        {rows.slice(0, 1_000).map(({ path, reason }) => (
          <li key={path} data-path={path}>
            <span class="mono break">{visibleLine(path)}</span> <span class="tag">{tOf('left_out', reason)}</span>
          </li>
        ))}
      </ul>
    </details>
  );

/** The repositories in a folder, and how far they are kept. */
export const NestedList = ({ rows }: { readonly rows: Point['nested'] }) =>
  rows.length === 0 ? null : (
    <details class="reasons" open>
      <summary>
        {t('nested.title')} ({rows.length})
      </summary>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">{t('nested.path')}</th>
            <th scope="col">{t('nested.head')}</th>
            <th scope="col">{t('nested.state')}</th>
            <th scope="col">{t('nested.remote')}</th>
            <th scope="col">{t('nested.history')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.path} data-nested={row.path}>
              <td class="mono break">{row.path === '' ? '.' : visibleLine(row.path)}</td>
              <td class="mono">{[row.branch, row.head?.slice(0, 7)].filter(Boolean).join(' @ ')}</td>
              <td>{t(row.dirty ? 'nested.dirty' : 'nested.clean')}</td>
              <td class="mono break">{row.remote_host ?? '–'}</td>
              <td>{t(row.git_history_saved ? 'nested.saved' : 'nested.not_saved')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
