import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkResult } from '../../server/agents/call-result.ts';
import type { RoleInput } from '../../server/domain/agent-call.ts';
import type { IntegrationReport } from '../../server/domain/verdicts.ts';
import { CODER_INPUT, CODER_RESULT, fenced, RUN } from '../support/agent-context.ts';

const REPORT: IntegrationReport = { outcome: 'fail', passed: 1, total: 2, cases: [], duration_ms: 1 };
const UNIT = { id: 'store', title: 'Store', depends_on: [], test_command: ['node', '--test'] };

const check = (input: RoleInput, result: object) =>
  checkResult(input.role, input, { file: undefined, message: fenced(result) });

const problems = (input: RoleInput, result: object): string => {
  const checked = check(input, result);
  assert.equal(checked.kind, 'invalid');
  return checked.kind === 'invalid' ? checked.problems.join('; ') : '';
};

describe('the result of a call', () => {
  it('is read from the file or the final message, whichever fits', () => {
    const file = JSON.stringify(CODER_RESULT);
    const result = { role: 'coder', ...CODER_RESULT };
    for (const given of [
      { file, message: 'done' },
      { file: undefined, message: fenced(CODER_RESULT) },
      { file: '{"old": true}', message: fenced(CODER_RESULT) },
      { file, message: fenced({ wrong: true }) },
    ])
      assert.deepEqual(checkResult('coder', CODER_INPUT, given), { kind: 'valid', result });
  });

  it('is asked for where there is none', () => {
    const checked = checkResult('coder', CODER_INPUT, { file: undefined, message: 'all done' });
    assert.deepEqual(checked, {
      kind: 'invalid',
      problems: ['there is no result: end the final message with a fenced JSON block'],
    });
  });

  it('names what does not fit', () => {
    assert.equal(
      problems(CODER_INPUT, { ...CODER_RESULT, ok: 'yes' }),
      'ok: Invalid input: expected boolean, received string',
    );
    assert.match(problems(CODER_INPUT, { ...CODER_RESULT, extra: 1 }), /Unrecognized key: "extra"/);
    const torn = checkResult('coder', CODER_INPUT, { file: '{"ok": tru', message: '' });
    assert.deepEqual(torn, { kind: 'invalid', problems: ['the result is not JSON'] });
  });

  it('must speak of the work that was asked for', () => {
    assert.equal(problems(CODER_INPUT, { ...CODER_RESULT, attempt: 2 }), 'attempt: 1 was asked for, not 2');
    assert.equal(
      problems(CODER_INPUT, { ...CODER_RESULT, unit_id: 'api' }),
      'unit_id: "store" was asked for, not "api"',
    );
    const tester: RoleInput = { ...CODER_INPUT, role: 'tester', test_command: ['node'] };
    assert.match(problems(tester, { ...CODER_RESULT, tests: [], attempt: 3 }), /attempt: 1 was asked for/);
    const pm: RoleInput = { role: 'pm', requirement: 'x', prd_rev: 2, feedback: [] };
    assert.match(
      problems(pm, { ok: true, prd_rev: 1, change_summary: 's', acceptance: [] }),
      /prd_rev: 2 was asked for/,
    );
  });

  it('of an integrator and a triager must name the run', () => {
    const integrator: RoleInput = { role: 'integrator', run: RUN, round: 1, report: REPORT };
    const good = { ok: false, run_id: RUN, cases_passed: 1, cases_total: 2 };
    assert.equal(check(integrator, good).kind, 'valid');
    assert.match(problems(integrator, { ...good, run_id: 'run-x' }), /run_id: "run-abcdef012345" was asked for/);
    const triager: RoleInput = { ...integrator, role: 'bug-triager' };
    const triage = { run_id: RUN, category: 'code', confidence: 0.9, blamed_units: ['api'], reason: 'r' };
    assert.equal(check(triager, triage).kind, 'valid');
    assert.match(problems(triager, { ...triage, run_id: 'other' }), /run_id/);
    assert.match(problems(triager, { ...triage, category: 'weather' }), /category/);
  });

  it('of an architect must count its units', () => {
    const input: RoleInput = { role: 'architect', mode: 'generate', sdd_rev: 1, prd_rev: 1, affected_units: [] };
    const good = { ok: true, sdd_rev: 1, units: [UNIT], units_count: 1, change_summary: 's' };
    assert.equal(check(input, good).kind, 'valid');
    assert.match(problems(input, { ...good, units_count: 2 }), /units_count: 1 was asked for, not 2/);
    assert.match(problems(input, { ...good, sdd_rev: 3 }), /sdd_rev/);
  });
});
