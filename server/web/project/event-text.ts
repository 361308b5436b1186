import type { MessageKey } from '../i18n/en.ts';
import type { Values } from '../i18n/translate.ts';
import { type LiveEvent, numberIn, textIn } from '../live/live-event.ts';
import { visibleLine } from '../shell/visible.ts';

export interface Words {
  readonly t: (key: MessageKey, values?: Values) => string;
  /** A text by group and name. */
  readonly tOf: (group: string, name: string) => string;
}

/** An event as one line for people. */
export function eventText(event: LiveEvent, words: Words): string {
  return visibleLine(sentence(event, words));
}

function sentence(event: LiveEvent, { t, tOf }: Words): string {
  const text = (name: string) => textIn(event, name);
  const number = (name: string) => numberIn(event, name) ?? 0;
  const who = [tOf('role', text('role')), text('unit')].filter((part) => part !== '').join(' · ');
  const result = { passed: number('passed'), total: number('total'), outcome: tOf('status', text('outcome')) };
  const failure =
    event.first_failure instanceof Object && 'message' in event.first_failure
      ? ` — ${event.first_failure.message}`
      : '';
  switch (event.kind) {
    case 'agent_started':
      return t('event.agent_started', { who, attempt: number('attempt') });
    case 'agent_output':
      return text('text');
    case 'agent_finished':
      return t('event.agent_finished', { who, summary: text('summary') });
    case 'agent_failed':
      return t('event.agent_failed', { who, reason: tOf('reason', text('reason')), detail: text('detail') });
    case 'unit_status':
      return t('event.unit_status', {
        unit: text('unit'),
        status: tOf('status', text('status')),
        round: number('round'),
      });
    case 'test_result':
      return t('event.test_result', { unit: text('unit'), ...result }) + failure;
    case 'integration_result':
      return t('event.integration_result', { round: number('round'), ...result }) + failure;
    case 'triage_done':
      return t('event.triage_done', {
        category: text('category'),
        confidence: number('confidence'),
        reason: text('reason'),
      });
    case 'git_committed':
      return `${text('ref') || text('sha').slice(0, 7)} ${text('summary')}`;
    case 'git_tagged':
      return t('event.git_tagged', { tag: text('tag'), sha: text('sha').slice(0, 7) });
    case 'git_failed':
      return t('event.git_failed', { code: text('code'), detail: text('detail') });
    case 'attempt_saved':
      return t('event.attempt_saved', { unit: text('unit'), round: number('round'), attempt: number('attempt') });
    case 'project_status':
      return [tOf('status', text('status')), text('reason') && tOf('reason', text('reason')), text('detail')]
        .filter((part) => part !== '')
        .join(' — ');
    case 'secret_found':
      return t('event.secret_found', { n: number('total'), sha: text('sha').slice(0, 7) });
    case 'gate_waiting':
      return t('event.gate_waiting', { gate: text('gate').toUpperCase() });
    case 'budget_exceeded':
      return t('event.budget_exceeded', { budget: text('budget'), spent: number('spent'), limit: number('limit') });
    case 'recovery_dirty_tree':
      return t('event.recovery_dirty_tree', { n: Array.isArray(event.files) ? event.files.length : 0 });
    case 'recovery_settled':
      return t('event.recovery_settled', { action: tOf('recovery', text('action')) });
    case 'vault_repaired':
      return t('event.vault_repaired', { what: Array.isArray(event.what) ? event.what.join(', ') : '' });
    default:
      return event.kind;
  }
}
