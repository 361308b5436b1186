import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAILURE_REASONS } from '../../server/domain/agent-call.ts';
import { ERROR_CODES } from '../../server/domain/errors.ts';
import { EVENT_NAMES, RECOVERY_OPTIONS } from '../../server/domain/events.ts';
import { PHASES } from '../../server/domain/point.ts';
import { PROJECT_STATUSES } from '../../server/domain/project.ts';
import { ROLES } from '../../server/domain/roles.ts';
import { transition } from '../../server/domain/status-transitions.ts';
import { UNIT_OUTCOMES } from '../../server/domain/verdicts.ts';
import { newProject } from '../../server/http/schemas/project-request.ts';
import type { Call, Run } from '../../server/web/api/types.ts';
import { en } from '../../server/web/i18n/en.ts';
import { fill } from '../../server/web/i18n/translate.ts';
import { visibleRange } from '../../server/web/list/visible-range.ts';
import { commandsFor } from '../../server/web/project/commands.ts';
import { eventText } from '../../server/web/project/event-text.ts';
import { unitTries } from '../../server/web/project/unit-tries.ts';
import { emptyDraft, wishOf } from '../../server/web/projects/project-draft.ts';
import { reportOf } from '../../server/web/runs/report.ts';
import { runOfCall, runRows } from '../../server/web/runs/run-rows.ts';

const table = en as Readonly<Record<string, string>>;
const words = {
  t: (key: keyof typeof en, values?: Readonly<Record<string, string | number>>) => fill(en[key], values),
  tOf: (group: string, name: string) => table[`${group}.${name}`] ?? name,
};
const call = (more: Partial<Call>): Call => ({
  call: 'c1',
  role: 'coder',
  status: 'done',
  started_at: '2026-01-01T00:00:01Z',
  ...more,
});
const run = (more: Partial<Run>): Run => ({
  run: 'run-1',
  kind: 'unit',
  round: 1,
  outcome: 'red',
  passed: 1,
  failed: 1,
  total: 2,
  ts: '2026-01-01T00:00:02Z',
  ...more,
});

describe('what can be done with a project', () => {
  const CAUSES = {
    run: 'run',
    pause: 'pause',
    resume: 'resume',
    cancel: 'cancel',
    feedback: 'feedback',
    'sign-off': 'sign_off',
    abandon: 'abandon',
  } as const;

  it('is nothing that the loop would refuse, in any status', () => {
    for (const status of PROJECT_STATUSES) {
      for (const { name } of commandsFor({ status }))
        assert.notEqual(transition(status, CAUSES[name]), undefined, `${name} when ${status}`);
    }
  });

  it('is only to pause or cancel while files of a crash wait', () => {
    const recovery = { pid: 'p', snapshot: 's', files: [], options: [], inspecting: false };
    assert.deepEqual(
      commandsFor({ status: 'running', recovery }).map(({ name }) => name),
      ['pause', 'cancel'],
    );
  });
});

/** What only a program that speaks to the server wrongly, or a call of an agent, comes by. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  'bad_request',
  'body_too_large',
  'config_invalid',
  'data_folder_owned',
  'forbidden',
  'host_refused',
  'method_not_allowed',
  'origin_refused',
  'replay_diverged',
  'scope_violation',
  'unsupported_media_type',
  'vault_tampered',
]);

/** Why a path of a plan stays as it is, besides what keeps it out of points. */
const NOT_RESTORED = [
  'file_in_the_way',
  'folder_in_the_way',
  'not_by_turn',
  'changed_after',
  'changed_meanwhile',
  'folder_missing',
] as const;

describe('words', () => {
  it('are there for every status, role, failure and kind of event', () => {
    const wanted = [
      ...PROJECT_STATUSES.map((name) => `status.${name}`),
      ...ROLES.map((name) => `role.${name}`),
      ...FAILURE_REASONS.map((name) => `reason.${name}`),
      ...Object.keys(EVENT_NAMES).map((name) => `kind.${name}`),
      ...[...UNIT_OUTCOMES, 'pass', 'fail', 'environment'].map((name) => `status.${name}`),
      ...PHASES.map((name) => `phase.${name}`),
      ...RECOVERY_OPTIONS.flatMap((name) => [`recovery.${name}`, `recovery_about.${name}`]),
      ...NOT_RESTORED.map((name) => `left_out.${name}`),
    ];
    assert.deepEqual(
      wanted.filter((key) => table[key] === undefined),
      [],
    );
  });

  it('say of every error that a person can meet what it is and what to do next', () => {
    const missing = ERROR_CODES.filter(
      (code) => !FOR_PROGRAMS.has(code) && (!(`problem.${code}` in en) || !(`next.${code}` in en)),
    );
    assert.deepEqual(missing, []);
  });

  it('make every kind of event a sentence of one line', () => {
    for (const kind of Object.keys(EVENT_NAMES)) {
      const text = eventText(
        {
          seq: 1,
          ts: '',
          kind,
          text: 'a\nb',
          status: 'red',
          detail: '\x1b[2J',
          first_failure: { id: 'i', message: 'm' },
        },
        words,
      );
      assert.doesNotMatch(text, /[\n\x1b]|\{\w+\}/, kind);
    }
  });
});

describe('the form for a new project', () => {
  it('asks for the requirement alone where nothing else was filled in', () => {
    assert.deepEqual(wishOf({ ...emptyDraft, requirement: ' build it ' }), { requirement: 'build it' });
  });

  it('makes what the server takes, and leaves what is no number for the server to refuse', () => {
    const draft = {
      ...emptyDraft,
      requirement: 'x',
      team: 'openai',
      model: 'm',
      base_url: 'http://127.0.0.1:1/v1',
      gate_prd: true,
      attempts: '2',
      cost: '1.5',
    } as const;
    const wish = wishOf(draft);
    assert.ok(newProject.safeParse(wish).success, JSON.stringify(newProject.safeParse(wish).error));
    assert.deepEqual(wish.settings, { gates: { prd: true, sdd: false }, attempts: 2, budget: { cost: 1.5 } });
    assert.equal(newProject.safeParse(wishOf({ ...draft, attempts: 'two' })).success, false);
  });
});

describe('the timeline of runs', () => {
  it('has calls and runs newest first, and of a role only its own', () => {
    const facts = {
      calls: [call({}), call({ call: 'c0', role: 'pm', started_at: '2026-01-01T00:00:00Z' })],
      runs: [run({ unit: 'a' })],
    };
    assert.deepEqual(
      runRows(facts).map(({ id }) => id),
      ['run-1', 'c1', 'c0'],
    );
    assert.deepEqual(
      runRows(facts, { role: 'tester' }).map(({ id }) => id),
      ['run-1'],
    );
  });

  it('finds the run that judged a call', () => {
    const runs = [run({ unit: 'a', attempt: 2 }), run({ run: 'run-2', unit: 'a', attempt: 1 })];
    assert.equal(runOfCall(call({ unit: 'a', round: 1, attempt: 1 }), runs)?.run, 'run-2');
    assert.equal(runOfCall(call({ role: 'pm' }), runs), undefined);
  });

  it('shows what failed first, with the command and its exit status', () => {
    const report = reportOf({
      result: {
        command: ['node', '--test', 'a b.mjs'],
        exit_code: 1,
        signal: null,
        duration_ms: 5,
        tests: [
          { id: 'one', status: 'passed' },
          { id: 'two', status: 'failed', message: 'no' },
        ],
        missing_tests: ['three'],
        output_tail: 'out',
      },
    });
    assert.deepEqual(
      report.checks.map(({ name }) => name),
      ['two', 'one'],
    );
    assert.deepEqual(
      [report.command, report.exit, report.missing, report.output],
      ['node --test "a b.mjs"', '1', ['three'], 'out'],
    );
    const cases = reportOf({ result: { cases: [{ id: 'x', title: 'X', outcome: 'fail', failure: 'why' }] } });
    assert.deepEqual(cases.checks, [{ name: 'X', outcome: 'failed', message: 'why' }]);
    assert.deepEqual(reportOf({ result: 'nonsense' }), { checks: [], missing: [] });
  });
});

describe('the attempts at a unit', () => {
  it('are those beside main and those on it, oldest first', () => {
    const attempts = [
      { unit: 'a', round: 1, attempt: 1, verdict: 'red', ref: '', sha: 'red', parent: 'p', run: 'run-1' } as const,
    ];
    const runs = [
      run({ unit: 'a', attempt: 1 }),
      run({ run: 'run-2', unit: 'a', attempt: 2, outcome: 'green' }),
      run({ unit: 'b', attempt: 1 }),
    ];
    const tries = unitTries('a', { attempts, runs, calls: [call({ unit: 'a', round: 1, attempt: 2, sha: 'green' })] });
    assert.deepEqual(tries, [
      { round: 1, attempt: 1, verdict: 'red', sha: 'red', rev: 'attempts/a/1/1', run: 'run-1' },
      { round: 1, attempt: 2, verdict: 'green', sha: 'green', rev: 'green', run: 'run-2' },
    ]);
  });
});

describe('a long list', () => {
  it('draws what can be seen and little more, at its ends too', () => {
    assert.deepEqual(visibleRange({ top: 0, height: 100, rowHeight: 10, count: 10_000 }), { from: 0, to: 22 });
    assert.deepEqual(visibleRange({ top: 50_000, height: 100, rowHeight: 10, count: 10_000 }), {
      from: 4_988,
      to: 5_022,
    });
    assert.deepEqual(visibleRange({ top: 1e9, height: 100, rowHeight: 10, count: 5 }), { from: 5, to: 5 });
    assert.deepEqual(visibleRange({ top: 0, height: 100, rowHeight: 10, count: 0 }), { from: 0, to: 0 });
  });
});
