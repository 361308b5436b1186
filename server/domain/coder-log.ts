import { cleanText } from './commit-message.ts';
import type { CallFault, LogSection, UnitState } from './unit-state.ts';
import type { UnitReport } from './verdicts.ts';

/** The section of an attempt, with what the coder said and how it ended. */
export function logSection(
  unit: Pick<UnitState, 'round' | 'attempt' | 'coder'>,
  ended: { readonly at: string; readonly report?: UnitReport; readonly failure?: CallFault },
): LogSection {
  const { round, attempt, coder } = unit;
  const { report, failure } = ended;
  const outcome = report?.outcome ?? 'failed';
  const lines = [
    `## round ${round} · attempt ${attempt} · ${outcome} · ${ended.at}`,
    ...(coder === undefined ? [] : [`call ${coder.call}`, ...(coder.summary === '' ? [] : ['', coder.summary.trim()])]),
    '',
    ...(failure === undefined ? [] : [`${failure.role} failed: ${failure.reason}: ${cleanText(failure.detail)}`]),
    ...(report === undefined ? [] : reportLines(report)),
  ];
  return { round, attempt, text: `${lines.join('\n').trimEnd()}\n` };
}

/** The sections with one more; a section of the same attempt, whose work was lost, gives way to it. */
export function withSection(log: readonly LogSection[], section: LogSection): readonly LogSection[] {
  const others = log.filter(({ round, attempt }) => round !== section.round || attempt !== section.attempt);
  return [...others, section];
}

/** Content of units/{unit}/coder.log. */
export function coderLog(log: readonly LogSection[]): string {
  return log.map(({ text }) => text).join('\n');
}

function reportLines(report: UnitReport): readonly string[] {
  const failed = report.tests.filter(({ status }) => status === 'failed');
  return [
    `tests: ${report.passed} passed, ${report.failed} failed`,
    ...failed
      .slice(0, 20)
      .map(({ id, message }) => `failed: ${cleanText(id)}${message ? `: ${cleanText(message)}` : ''}`),
    ...report.missing_tests.slice(0, 20).map((id) => `promised and not found: ${cleanText(id)}`),
  ];
}
