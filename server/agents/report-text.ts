import type { IntegrationReport, UnitReport } from '../domain/verdicts.ts';

/** A report for an agent: `text` from the parsed form, the same on every run that finds the same; the raw output in `aside`. */
export interface ReportText {
  readonly text: string;
  readonly aside?: string;
}

export function reportText(report: UnitReport): ReportText {
  const failed = report.tests.filter(({ status }) => status === 'failed').toSorted(byId);
  const lines = [
    `outcome: ${report.outcome}`,
    `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`,
    ...failed.map(({ id, message }) => `failed: ${id}${message === undefined ? '' : `\n${indented(message)}`}`),
    ...report.missing_tests.toSorted().map((id) => `promised and not found: ${id}`),
  ];
  const tail = report.outcome === 'green' ? '' : report.output_tail.trim();
  return { text: lines.join('\n'), ...(tail === '' ? {} : { aside: `The end of the output:\n${tail}` }) };
}

export function integrationText(report: IntegrationReport): ReportText {
  const lines = [
    `outcome: ${report.outcome}`,
    `${report.passed} of ${report.total} cases passed`,
    ...report.cases.map(
      ({ id, title, outcome, failure, service }) =>
        `${outcome}: ${id} (${title})${service === undefined ? '' : ` at ${service}`}${failure === undefined ? '' : `\n${indented(failure)}`}`,
    ),
  ];
  const error = report.environment_error;
  return {
    text: lines.join('\n'),
    ...(error === undefined ? {} : { aside: `Why services did not come up: ${error}` }),
  };
}

const indented = (text: string): string => text.replace(/^/gm, '  ').trimEnd();

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
