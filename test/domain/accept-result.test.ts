import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ResultFacts, resultFault } from '../../server/domain/accept-result.ts';
import type { AgentResult } from '../../server/domain/agent-results.ts';
import { unitId, unitSpec } from '../support/loop-story.ts';

const units = [unitSpec('store'), unitSpec('api', ['store'])];
const spec = {
  services: [{ id: 'api', unit: 'api', start_command: ['node', 'a.js'], ready: { path: '/' } }],
  cases: [{ id: 'one', title: 'one', command: ['true'] }],
};
const facts: ResultFacts = {
  units_json: JSON.stringify({ units }),
  spec_json: JSON.stringify(spec),
  units: units.map(({ id }) => unitId(id)),
};
const design = (change: Partial<Extract<AgentResult, { role: 'architect' }>> = {}): AgentResult => ({
  role: 'architect',
  ok: true,
  sdd_rev: 1,
  units,
  units_count: 2,
  change_summary: 'two',
  ...change,
});
const triage = (change: Partial<Extract<AgentResult, { role: 'bug-triager' }>> = {}): AgentResult => ({
  role: 'bug-triager',
  run_id: 'r-1',
  category: 'code',
  confidence: 1,
  blamed_units: ['store'],
  reason: 'it forgets',
  ...change,
});

describe("an Architect's result", () => {
  it('is taken where the files say the same, in whatever order of members', () => {
    const turned = units.map(({ id, ...rest }) => ({ ...rest, id }));
    assert.equal(resultFault(design(), facts), undefined);
    assert.equal(
      resultFault(design(), { ...facts, units_json: JSON.stringify({ note: 1, units: turned }) }),
      undefined,
    );
  });

  for (const [name, result, files, says] of [
    ['names a circle', design({ units: [unitSpec('store', ['store'])] }), {}, /circle: store -> store/],
    ['differs from units.json', design({ units: [unitSpec('store')] }), {}, /units\.json differs/],
    ['comes without units.json', design(), { units_json: undefined }, /units\.json is absent/],
    ['comes with a units.json that is not JSON', design(), { units_json: '{' }, /units\.json is not JSON/],
    [
      'comes with a units.json of another shape',
      design(),
      { units_json: '{"units":[{}]}' },
      /units\.json: units\.0\.id/,
    ],
    ['comes without integration cases', design(), { spec_json: undefined }, /integration\/spec\.json is absent/],
    [
      'has a service of a unit that is not there',
      design(),
      { spec_json: JSON.stringify({ ...spec, services: [{ ...spec.services[0], unit: 'ghost' }] }) },
      /service api is of unit ghost/,
    ],
  ] as const) {
    it(`is bad output where it ${name}`, () => {
      const fault = resultFault(result, { ...facts, ...files });
      assert.equal(fault?.reason, 'bad_output');
      assert.match(fault?.detail ?? '', says);
    });
  }
});

describe("a BugTriager's result", () => {
  it('is taken where it blames units that are there', () => assert.equal(resultFault(triage(), facts), undefined));
  it('may blame nobody where nobody is reset', () => {
    assert.equal(resultFault(triage({ category: 'environment', blamed_units: [] }), facts), undefined);
  });
  it('is bad output where it blames a stranger, or nobody for code', () => {
    assert.match(resultFault(triage({ blamed_units: ['ghost'] }), facts)?.detail ?? '', /no unit ghost/);
    assert.match(resultFault(triage({ blamed_units: [] }), facts)?.detail ?? '', /must blame/);
  });
});

describe('any result', () => {
  it('of an agent that gave up is a failed call', () => {
    const pm = { role: 'pm', ok: false, prd_rev: 1, change_summary: 'cannot', acceptance: [] } as const;
    const coder = { role: 'coder', ok: false, unit_id: 'store', attempt: 1, summary: 'cannot' } as const;
    for (const result of [pm, coder, design({ ok: false })])
      assert.equal(resultFault(result as AgentResult, facts)?.reason, 'agent_error');
  });

  it('of Tester and Integrator is not believed about green: their `ok` has no say', () => {
    const tester = { role: 'tester', ok: false, unit_id: 'store', attempt: 1, tests: [], summary: 'red' } as const;
    const integrator = { role: 'integrator', ok: false, run_id: 'r-1', cases_passed: 0, cases_total: 1 } as const;
    assert.equal(resultFault({ ...tester, tests: [] }, facts), undefined);
    assert.equal(resultFault(integrator, facts), undefined);
  });
});
