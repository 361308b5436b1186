import type { Problem } from '../api/problem.ts';
import type { RestoreReport } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { pathKey } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { ReasonList } from './reason-list.tsx';

export interface ReportViewProps {
  readonly report: RestoreReport;
  readonly ws: string;
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  readonly onUndo: () => void;
}

/** What a restore did, path by path; it can be taken back, and that too. */
export const ReportView = ({ report, ws, busy, problem, onUndo }: ReportViewProps) => (
  <section data-report={report.id}>
    <div role="status">
      <h2>{t('report.title', { n: report.changed })}</h2>
    </div>
    {problem !== undefined && <ProblemNote problem={problem} />}
    <div class="actions">
      <a class="button primary" href={linkTo(['w', ws])}>
        {t('report.back')}
      </a>
      <button type="button" disabled={busy} onClick={onUndo}>
        {t('report.undo')}
      </button>
    </div>
    <Portion
      class="changes"
      items={report.rows}
      row={({ kind, ...named }) => (
        <li key={pathKey(named)} data-path={named.path} data-kind={kind}>
          <span class="mono break">
            <PathName named={named} />
          </span>{' '}
          <span class="tag">{tOf('report', kind)}</span>
        </li>
      )}
    />
    <ReasonList title={t('plan.kept')} rows={report.kept} />
    <ReasonList title={t('plan.blocked')} rows={report.blocked} />
    <ReasonList title={t('report.skipped')} rows={report.skipped} />
  </section>
);
