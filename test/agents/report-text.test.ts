import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { integrationText, reportText } from '../../server/agents/report-text.ts';
import { repairPrompt, taskPrompt } from '../../server/agents/task-prompt.ts';
import type { IntegrationReport, UnitReport } from '../../server/domain/verdicts.ts';
import { roleScope } from '../../server/domain/write-scope.ts';
import { CODER_INPUT, coderContext, RUN } from '../support/agent-context.ts';

const UNIT: UnitReport = {
  outcome: 'red',
  runner: 'node:test',
  command: ['node'],
  exit_code: 1,
  signal: null,
  duration_ms: 5,
  passed: 1,
  failed: 2,
  skipped: 1,
  tests: [
    { id: 'z', status: 'failed', message: 'first\nsecond' },
    { id: 'a', status: 'failed' },
    { id: 'm', status: 'passed' },
  ],
  missing_tests: ['y', 'x'],
  output_tail: '  raw\n',
};

const INTEGRATION: IntegrationReport = {
  outcome: 'fail',
  passed: 1,
  total: 2,
  duration_ms: 9,
  cases: [
    { id: 'one', title: 'The first', outcome: 'pass', duration_ms: 1, service: 'api' },
    { id: 'two', title: 'The second', outcome: 'fail', duration_ms: 2, failure: 'expected 1, got 2' },
  ],
};

describe('a report for an agent', () => {
  it('tells failed and missing tests in one order, and raw output aside', () => {
    assert.deepEqual(reportText(UNIT), {
      text: [
        'outcome: red',
        '1 passed, 2 failed, 1 skipped',
        'failed: a',
        'failed: z',
        '  first',
        '  second',
        'promised and not found: x',
        'promised and not found: y',
      ].join('\n'),
      aside: 'The end of the output:\nraw',
    });
  });

  it('is the same for reports that differ only in order and time', () => {
    const other = {
      ...UNIT,
      duration_ms: 99,
      tests: UNIT.tests.toReversed(),
      missing_tests: ['x', 'y'],
      output_tail: 'other',
    };
    assert.equal(reportText(other).text, reportText(UNIT).text);
  });

  it('has nothing aside where all is green or nothing was printed', () => {
    assert.equal('aside' in reportText({ ...UNIT, outcome: 'green' }), false);
    assert.equal('aside' in reportText({ ...UNIT, output_tail: ' \n' }), false);
  });

  it('tells each case of an integration, and why services did not come up', () => {
    assert.deepEqual(integrationText(INTEGRATION), {
      text: 'outcome: fail\n1 of 2 cases passed\npass: one (The first) at api\nfail: two (The second)\n  expected 1, got 2',
    });
    const down = { ...INTEGRATION, outcome: 'environment' as const, cases: [], environment_error: 'no port' };
    assert.equal(integrationText(down).aside, 'Why services did not come up: no port');
  });
});

describe('the prompt of a task', () => {
  it('has the input without the report, and the report in words', (t) => {
    const { text, aside } = taskPrompt(
      { ...CODER_INPUT, last_report: UNIT, triage_reason: 'off by one' },
      coderContext(t),
    );
    const json = /```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
    assert.deepEqual(JSON.parse(json), { ...CODER_INPUT, triage_reason: 'off by one' });
    assert.match(text, /in parsed form:\n\noutcome: red/);
    assert.equal(aside, 'The end of the output:\nraw');
  });

  it('of the integrator and the triager tells the cases', (t) => {
    for (const role of ['integrator', 'bug-triager'] as const) {
      const { text } = taskPrompt({ role, run: RUN, round: 2, report: INTEGRATION }, coderContext(t));
      assert.match(text, /"run": "run-abcdef012345"/);
      assert.match(text, /fail: two \(The second\)/);
      assert.ok(!text.includes('duration'));
    }
  });

  it('says what may be written, or that nothing may', (t) => {
    const context = coderContext(t);
    assert.match(taskPrompt(CODER_INPUT, context).text, /You may write: `units\/store\/code\/\*\*`$/);
    const none = { ...context, scope: roleScope('integrator', { call: context.call }) };
    assert.match(taskPrompt(CODER_INPUT, none).text, /You may write no files\.$/);
  });

  it('of a repair names up to fifty faults', () => {
    const { text } = repairPrompt(Array.from({ length: 80 }, (_, i) => `fault ${i}`));
    assert.equal(text.match(/^- fault/gm)?.length, 50);
  });
});
