import type { AgentContext, RoleInput } from '../domain/agent-call.ts';
import type { Prompt } from './driver.ts';
import { integrationText, type ReportText, reportText } from './report-text.ts';

/** The first prompt of a call: the input as JSON, what may be written, and reports in parsed form; raw output goes aside. */
export function taskPrompt(input: RoleInput, context: AgentContext): Prompt {
  const { plain, report } = withoutReport(input);
  const files = context.scope.filter((pattern) => !pattern.startsWith('agent-state/'));
  const text = [
    'Your task:',
    ['```json', JSON.stringify(plain, undefined, 2), '```'].join('\n'),
    files.length === 0
      ? 'You may write no files.'
      : `You may write: ${files.map((pattern) => `\`${pattern}\``).join(', ')}`,
    ...(report === undefined ? [] : [`The server's last run, in parsed form:\n\n${report.text}`]),
  ].join('\n\n');
  return { text, ...(report?.aside === undefined ? {} : { aside: report.aside }) };
}

/** The one repair request of a call. */
export function repairPrompt(problems: readonly string[]): Prompt {
  const list = problems.slice(0, 50).map((problem) => `- ${problem}`);
  return {
    text: [
      'Your result does not fit:',
      list.join('\n'),
      'Change no files. Answer with the whole corrected result as one fenced JSON block.',
    ].join('\n\n'),
  };
}

function withoutReport(input: RoleInput): { readonly plain: object; readonly report?: ReportText } {
  switch (input.role) {
    case 'coder': {
      const { last_report, ...plain } = input;
      return last_report === undefined ? { plain } : { plain, report: reportText(last_report) };
    }
    case 'integrator':
    case 'bug-triager': {
      const { report, ...plain } = input;
      return { plain, report: integrationText(report) };
    }
    default:
      return { plain: input };
  }
}
