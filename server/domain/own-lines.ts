import type { AgentResult } from './agent-results.ts';
import { cleanText } from './commit-message.ts';
import type { Effect } from './effect.ts';
import { type ProjectEvent, RECOVERY_OPTIONS } from './events.ts';
import { parseUnitId } from './ids.ts';
import type { LoopEvent } from './loop-event.ts';
import type { CallState, ProjectState } from './project-state.ts';
import type { IntegrationReport, UnitReport } from './verdicts.ts';
import { withoutUndefined } from './without-undefined.ts';

/** The timeline lines that an event brings itself. */
export function ownLines(before: ProjectState | undefined, event: LoopEvent): readonly ProjectEvent[] {
  switch (event.kind) {
    case 'call.completed':
    case 'call.failed':
    case 'call.interrupted':
      return callLines(before, event);
    case 'unit.tested':
    case 'integration.ran':
      return runLines(before, event);
    case 'commit.landed':
    case 'attempt.saved':
    case 'write.failed':
      return writeLines(before, event);
    case 'recovery.found': {
      const { snapshot, files } = event;
      const pid = before?.pid;
      return pid === undefined
        ? []
        : [{ kind: 'recovery_dirty_tree', pid, snapshot, files, options: RECOVERY_OPTIONS }];
    }
    case 'effect.failed':
      return brokenLines(before, event);
    case 'recovery.settled':
      return settledLines(before, event);
    case 'secrets.found': {
      const { sha, findings, total, not_scanned } = event;
      return [{ kind: 'secret_found', sha, findings, total, not_scanned }];
    }
    case 'boot.scanned':
      return [...interruptedLines(before), ...repairedLines(event.repaired)];
    case 'vault.mended':
      return repairedLines(event.what);
    default:
      return [];
  }
}

type Of<Kind extends LoopEvent['kind']> = Extract<LoopEvent, { readonly kind: Kind }>;

/** Calls that a killed server left running. */
function interruptedLines(before: ProjectState | undefined): readonly ProjectEvent[] {
  return (before?.calls ?? []).filter(({ status }) => status === 'running').map((call) => interruptedLine(call));
}

function repairedLines(what: readonly string[]): readonly ProjectEvent[] {
  return what.length === 0 ? [] : [{ kind: 'vault_repaired', what }];
}

/** A call that could not be made for a reason outside of the agent. */
function brokenLines(
  before: ProjectState | undefined,
  { key, code, detail }: Of<'effect.failed'>,
): readonly ProjectEvent[] {
  const calls = (before?.calls ?? []).filter(({ call, status }) => call === key && status === 'running');
  return calls.map((call) => interruptedLine(call, `${code}: ${detail}`));
}

function interruptedLine({ call, role, unit, round, attempt }: CallState, why = 'interrupted'): ProjectEvent {
  const at = withoutUndefined({ call, role, unit, round, attempt });
  return { kind: 'agent_failed', ...at, reason: 'cancelled', detail: `${why}; it will be made again` };
}

function callLines(
  before: ProjectState | undefined,
  event: Of<'call.completed' | 'call.failed' | 'call.interrupted'>,
): readonly ProjectEvent[] {
  const state = before?.calls.find(({ call }) => call === event.key);
  if (state === undefined) return [];
  const stopped = before?.aborting.includes(event.key) || event.kind === 'call.interrupted';
  if (stopped) return [interruptedLine(state)];
  const { call, role, unit, round, attempt } = state;
  const at = withoutUndefined({ call, role, unit, round, attempt });
  if (event.kind === 'call.failed')
    return [{ kind: 'agent_failed', ...at, reason: event.reason, detail: event.detail }];
  const { duration_ms, usage } = event.record;
  const finished = { kind: 'agent_finished', ...at, duration_ms, usage, summary: summaryOf(event.result) } as const;
  return [finished, ...triageLines(before, event.result)];
}

function summaryOf(result: AgentResult): string {
  switch (result.role) {
    case 'pm':
    case 'architect':
      return cleanText(result.change_summary);
    case 'coder':
    case 'tester':
      return cleanText(result.summary);
    case 'integrator':
      return `${result.cases_passed} of ${result.cases_total} cases passed`;
    case 'bug-triager':
      return cleanText(result.reason);
  }
}

function triageLines(before: ProjectState | undefined, result: AgentResult): readonly ProjectEvent[] {
  if (result.role !== 'bug-triager' || before?.stage.kind !== 'triage') return [];
  const { category, confidence, reason } = result;
  const blamed_units = result.blamed_units.map(parseUnitId);
  return [{ kind: 'triage_done', run: before.stage.run.run, category, confidence, blamed_units, reason }];
}

function runLines(
  before: ProjectState | undefined,
  event: Of<'unit.tested' | 'integration.ran'>,
): readonly ProjectEvent[] {
  const effect = inflight(before, event.key);
  const { run } = event;
  if (event.kind === 'unit.tested' && effect?.kind === 'test_unit') {
    const { unit, round, attempt } = effect;
    const { outcome, passed, failed, skipped } = event.report;
    const counts = { outcome, passed, failed, total: passed + failed + skipped };
    return [{ kind: 'test_result', unit, run, round, attempt, ...counts, ...firstFailedTest(event.report) }];
  }
  if (event.kind === 'integration.ran' && effect?.kind === 'run_integration') {
    const { outcome, passed, total } = event.report;
    const { round } = effect;
    return [{ kind: 'integration_result', run, round, outcome, passed, total, ...firstFailedCase(event.report) }];
  }
  return [];
}

function firstFailedTest({ tests, missing_tests }: UnitReport) {
  const test = tests.find(({ status }) => status === 'failed');
  if (test !== undefined) return { first_failure: { id: test.id, message: test.message ?? '' } };
  const [id] = missing_tests;
  return id === undefined ? {} : { first_failure: { id, message: 'promised and not found' } };
}

function firstFailedCase({ cases, environment_error }: IntegrationReport) {
  const failed = cases.find(({ outcome }) => outcome === 'fail');
  if (failed !== undefined) return { first_failure: { id: failed.id, message: failed.failure ?? '' } };
  return environment_error === undefined ? {} : { first_failure: { id: 'environment', message: environment_error } };
}

function writeLines(
  before: ProjectState | undefined,
  event: Of<'commit.landed' | 'attempt.saved' | 'write.failed'>,
): readonly ProjectEvent[] {
  const effect = inflight(before, event.key);
  if (effect?.kind !== 'commit' && effect?.kind !== 'save_attempt') return [];
  if (event.kind === 'write.failed') {
    const commit = effect.kind === 'commit' ? effect.spec.kind : 'code';
    return [{ kind: 'git_failed', commit, code: event.code, detail: event.detail }];
  }
  const { sha } = event;
  if (effect.kind === 'save_attempt') {
    const { unit, round, attempt } = effect;
    return [{ kind: 'attempt_saved', unit, round, attempt, sha }];
  }
  const { kind: commit, subject: summary } = effect.spec;
  const left_out = event.kind === 'commit.landed' ? event.left_out : [];
  const tag = event.kind === 'commit.landed' ? event.tag : undefined;
  return [
    { kind: 'git_committed', ref: sha.slice(0, 7), sha, commit, summary, left_out },
    ...(tag === undefined ? [] : [{ kind: 'git_tagged', tag, sha } as const]),
  ];
}

function settledLines(before: ProjectState | undefined, event: Of<'recovery.settled'>): readonly ProjectEvent[] {
  const { action, snapshot, rescue, sha } = event;
  const effect = before?.inflight.find((one) => one.kind === 'recover');
  const settled = withoutUndefined({ kind: 'recovery_settled', action, snapshot, rescue } as const);
  if (sha === undefined || effect?.kind !== 'recover') return [settled];
  const commit = {
    kind: 'git_committed',
    ref: sha.slice(0, 7),
    sha,
    commit: 'wip',
    summary: effect.spec.subject,
    left_out: [],
  } as const;
  return [commit, settled];
}

const inflight = (before: ProjectState | undefined, key: string): Effect | undefined =>
  before?.inflight.find((one) => one.key === key);
