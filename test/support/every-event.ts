import type { EventKind, ProjectEvent } from '../../server/domain/events.ts';
import { parseCallId, parseOid, parseProjectId, parseRunId, parseUnitId } from '../../server/domain/ids.ts';

const call = parseCallId('c-1');
const unit = parseUnitId('store');
const run = parseRunId('r-1');
const sha = parseOid('0123456789abcdef0123456789abcdef01234567');

/** One event of each kind, with every member that it can have. */
export const EVERY_EVENT: { readonly [Kind in EventKind]: Required<Extract<ProjectEvent, { kind: Kind }>> } = {
  agent_started: {
    kind: 'agent_started',
    call,
    role: 'coder',
    unit,
    attempt: 1,
    round: 1,
    driver: 'recorded',
    source: 'scripted',
  },
  agent_output: { kind: 'agent_output', call, text: 'id: 7\nevent: forged\n\n' },
  agent_finished: {
    kind: 'agent_finished',
    call,
    role: 'coder',
    unit,
    attempt: 1,
    round: 1,
    duration_ms: 5,
    usage: { input_tokens: 1, output_tokens: 2, cost: 0.1 },
    summary: 'wrote the store',
  },
  agent_failed: {
    kind: 'agent_failed',
    call,
    role: 'coder',
    unit,
    attempt: 1,
    round: 1,
    reason: 'bad_output',
    detail: 'no JSON',
  },
  unit_status: { kind: 'unit_status', unit, status: 'coding', round: 1, attempt: 1 },
  test_result: {
    kind: 'test_result',
    unit,
    run,
    round: 1,
    attempt: 1,
    outcome: 'red',
    passed: 1,
    failed: 1,
    total: 2,
    first_failure: { id: 'adds', message: '1 !== 2' },
  },
  integration_result: {
    kind: 'integration_result',
    run,
    round: 1,
    outcome: 'fail',
    passed: 1,
    total: 2,
    first_failure: { id: 'lists', message: 'expected 200' },
  },
  triage_done: {
    kind: 'triage_done',
    run,
    category: 'code',
    confidence: 0.9,
    blamed_units: [unit],
    reason: 'wrong status',
  },
  git_committed: {
    kind: 'git_committed',
    ref: '0123456',
    sha,
    commit: 'code',
    summary: 'code(store): implement · attempt 1',
    left_out: [{ path: 'gr�n', path_b64: 'Z3L8bg==', reason: 'too_large' }],
  },
  git_tagged: { kind: 'git_tagged', tag: 'prd-rev-1', sha },
  git_failed: { kind: 'git_failed', commit: 'prd', code: 'disk_full', detail: 'no space' },
  attempt_saved: { kind: 'attempt_saved', unit, round: 1, attempt: 1, sha },
  project_status: { kind: 'project_status', status: 'blocked', reason: 'unit_failed', detail: 'store' },
  secret_found: {
    kind: 'secret_found',
    sha,
    findings: [{ path: 'units/store/code/config.js', blob: sha, rule: 'github', line: 3 }],
    total: 1,
    not_scanned: 2,
  },
  gate_waiting: { kind: 'gate_waiting', gate: 'prd' },
  budget_exceeded: { kind: 'budget_exceeded', budget: 'tokens', limit: 10, spent: 11 },
  recovery_dirty_tree: {
    kind: 'recovery_dirty_tree',
    pid: parseProjectId('p-aaaaaaaa'),
    snapshot: 's-1',
    files: [{ path: 'units/store/code/a.ts', change: 'modified' }],
    options: ['commit_as_wip', 'reset_hard', 'manual_inspect'],
  },
  recovery_settled: { kind: 'recovery_settled', action: 'reset_hard', snapshot: 's-1', rescue: 'x' },
  vault_repaired: { kind: 'vault_repaired', what: ['HEAD'] },
};
