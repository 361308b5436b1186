import { projectApi } from '../api/project-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { ScrollBox } from '../list/scroll-box.tsx';
import { Badge } from '../shell/badge.tsx';
import { duration } from '../shell/format.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useLoad } from '../shell/use-load.ts';
import { visible, visibleLine } from '../shell/visible.ts';
import { type Check, reportOf } from './report.ts';

/** What the server's own run of the tests said: the real command, its exit status, what failed first. */
export function RunReport({ pid, run }: { readonly pid: string; readonly run: string }) {
  const { value, problem } = useLoad(() => projectApi.run(pid, run), `${pid} ${run}`);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined) return <LoadingNote />;
  const report = reportOf(value);
  return (
    <div class="report" data-run={run}>
      <p>
        <Badge state={value.outcome} />{' '}
        <span class="mono">{t('run.passed', { passed: value.passed, total: value.total })}</span>
        {report.duration_ms !== undefined && <span class="quiet"> · {duration(report.duration_ms)}</span>}
      </p>
      {report.command !== undefined && (
        <pre class="command">
          $ {visible(report.command)}
          {'\n'}
          <span class="quiet">{t('run.exit', { status: report.exit ?? '?' })}</span>
        </pre>
      )}
      {report.environment_error !== undefined && <pre class="say">{visible(report.environment_error)}</pre>}
      {report.missing.length > 0 && (
        <p class="note note-bad">
          {t('run.missing')} {report.missing.map(visibleLine).join(', ')}
        </p>
      )}
      <ol class="checks">
        {report.checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ol>
      {report.output !== undefined && report.output !== '' && (
        <details>
          <summary>{t('run.output')}</summary>
          <ScrollBox class="output" label={t('run.output_of', { run })}>
            <pre>{visible(report.output)}</pre>
          </ScrollBox>
        </details>
      )}
    </div>
  );
}

const CheckRow = ({ check }: { readonly check: Check }) => (
  <li class={`check is-${check.outcome}`} data-outcome={check.outcome}>
    <span class="mark">{tOf('check', check.outcome)}</span>
    <span>{visibleLine(check.name)}</span>
    {check.message !== undefined && <pre class="say">{visible(check.message)}</pre>}
  </li>
);
