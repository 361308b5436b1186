import type { Point } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { type FilePath, pathKey, pathLine } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { linkTo } from '../shell/route.ts';

export interface ReasonListProps {
  readonly title: string;
  readonly rows: readonly (FilePath & { readonly reason: string })[];
  /** Where given, each path leads to the rule that decides about it there. */
  readonly ws?: string;
}

/** Paths, each with the reason that holds for it; nothing where there are none. */
export const ReasonList = ({ title, rows, ws }: ReasonListProps) =>
  rows.length === 0 ? null : (
    <details class="reasons">
      <summary>
        {title} ({rows.length})
      </summary>
      <Portion
        class="changes"
        items={rows}
        row={({ reason, ...named }) => (
          <li key={pathKey(named)} data-path={named.path}>
            <span class="mono break">
              <PathName named={named} />
            </span>{' '}
            <span class="tag">{tOf('left_out', reason)}</span>
            {ws !== undefined && (
              <a
                class="only-this"
                href={linkTo(['w', ws, 'protection'], { ...named })}
                aria-label={t('protect.ask_of', { path: pathLine(named) })}
              >
                {t('protect.ask')}
              </a>
            )}
          </li>
        )}
      />
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
              <td class="mono break">{row.path === '' ? '.' : <PathName named={row} />}</td>
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
