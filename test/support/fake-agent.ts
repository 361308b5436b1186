import type { AgentOutcome, RoleInput } from '../../server/domain/agent-call.ts';
import type { AgentResult } from '../../server/domain/agent-results.ts';
import type { FakeCall, FakeProject } from './fake-world.ts';
import { RECORD, unitSpec } from './loop-story.ts';

/** The demo's units: api and page stand on the store and are made side by side. */
export const UNITS = [unitSpec('store'), unitSpec('api', ['store']), unitSpec('page', ['store'])];

const SPEC = {
  services: [{ id: 'api', unit: 'api', start_command: ['node', 'main.js'], ready: { path: '/' } }],
  cases: [{ id: 'one', title: 'one', command: ['true'] }],
};

/**
 * An agent that decides by its input alone, as a recording does. A call that is made again and does not find its input and the
 * files as the first time has diverged.
 */
export async function fakeAgent(call: FakeCall): Promise<AgentOutcome> {
  const { project, context, input } = call;
  const at = `${call.role} ${context.unit} ${context.round} ${context.attempt}`;
  const view = visible(project, context.unit) + JSON.stringify(input).replace(/r-\d{16}/g, 'RUN');
  if ((project.seen.get(at) ?? view) !== view) {
    return { kind: 'failed', reason: 'replay_diverged', detail: `${at} sees other files`, record: RECORD };
  }
  project.seen.set(at, view);
  return { kind: 'completed', result: work(project, input), record: RECORD };
}

/** What a call can see that matters: not what runs, ledgers and other units leave. */
function visible({ repository }: FakeProject, unit: string | undefined): string {
  const own =
    unit === undefined ? /^(prd|sdd)\/|^units\.json$/ : new RegExp(`^(prd|sdd)/|^units/${unit}/(code|tests)/`);
  return JSON.stringify([...repository.disk].filter(([path]) => own.test(path)).sort());
}

function work({ repository: { disk } }: FakeProject, input: RoleInput): AgentResult {
  switch (input.role) {
    case 'pm': {
      disk.set('prd/prd.md', `rev ${input.prd_rev}: ${input.requirement} ${input.feedback.join(' ')}`);
      const about = { ok: true, prd_rev: input.prd_rev, change_summary: `the list, ${input.prd_rev}` };
      return { role: 'pm', ...about, acceptance: ['lists'] };
    }
    case 'architect': {
      disk.set('sdd/index.html', `rev ${input.sdd_rev} ${input.mode} ${input.note ?? ''}`);
      disk.set('units.json', JSON.stringify({ units: UNITS }));
      disk.set('integration/spec.json', JSON.stringify(SPEC));
      const about = { ok: true, sdd_rev: input.sdd_rev, change_summary: 'three units' };
      return { role: 'architect', ...about, units: UNITS, units_count: UNITS.length };
    }
    case 'coder': {
      disk.set(`units/${input.unit}/code/main.js`, `${input.unit} ${input.round}.${input.attempt}`);
      return { role: 'coder', ok: true, unit_id: input.unit, attempt: input.attempt, summary: 'wrote it' };
    }
    case 'tester': {
      disk.set(`units/${input.unit}/tests/main.test.js`, `tests ${input.round}.${input.attempt}`);
      return {
        role: 'tester',
        ok: true,
        unit_id: input.unit,
        attempt: input.attempt,
        tests: ['adds'],
        summary: 'tests it',
      };
    }
    case 'integrator':
      return { role: 'integrator', ok: true, run_id: input.run, cases_passed: 0, cases_total: 2 };
    case 'bug-triager': {
      const about = { run_id: input.run, category: 'code' as const, confidence: 0.9 };
      return { role: 'bug-triager', ...about, blamed_units: ['store'], reason: 'the store forgets' };
    }
  }
}
