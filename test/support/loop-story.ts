import type { CallRecord } from '../../server/domain/agent-call.ts';
import type { AgentResult, UnitSpec } from '../../server/domain/agent-results.ts';
import { type Decision, decide } from '../../server/domain/decide.ts';
import type { CallEffect, Effect } from '../../server/domain/effect.ts';
import type { ProjectEvent } from '../../server/domain/events.ts';
import {
  type Oid,
  parseCompanyId,
  parseOid,
  parseProjectId,
  parseRunId,
  parseUnitId,
} from '../../server/domain/ids.ts';
import type { LedgerEntry } from '../../server/domain/ledger-entry.ts';
import type { Happening, LoopEvent } from '../../server/domain/loop-event.ts';
import { type SettingsInput, settingsSchema } from '../../server/domain/project.ts';
import type { ProjectState } from '../../server/domain/project-state.ts';
import { DEFAULT_TEAM, type Team } from '../../server/domain/team.ts';
import type { IntegrationReport, UnitOutcome, UnitReport } from '../../server/domain/verdicts.ts';

export const RECORD: CallRecord = {
  driver: 'recorded',
  source: 'scripted',
  layers: ['jail'],
  usage: { input_tokens: 10, output_tokens: 5, cost: 0.5 },
  duration_ms: 100,
};

export const oid = (n: number): Oid => parseOid(n.toString(16).padStart(40, '0'));
export const unitId = parseUnitId;

export function unitSpec(id: string, depends_on: readonly string[] = []): UnitSpec {
  return { id, title: `the ${id}`, depends_on: [...depends_on], test_command: ['node', '--test'] };
}

export function unitReport(outcome: UnitOutcome): UnitReport {
  const green = outcome === 'green';
  return {
    outcome,
    runner: 'node:test',
    command: ['node', '--test'],
    exit_code: green ? 0 : 1,
    signal: null,
    duration_ms: 10,
    passed: green ? 2 : 1,
    failed: green ? 0 : 1,
    skipped: 0,
    tests: [{ id: 'adds', status: green ? 'passed' : 'failed', ...(green ? {} : { message: 'expected 1, got 2' }) }],
    missing_tests: [],
    output_tail: '',
  };
}

export function integrationReport(outcome: IntegrationReport['outcome']): IntegrationReport {
  const passed = outcome === 'pass' ? 2 : 1;
  const failure = outcome === 'pass' ? {} : { failure: 'expected 201, got 500' };
  const one = { id: 'one', title: 'one', outcome: 'pass', duration_ms: 1 } as const;
  const two = {
    id: 'two',
    title: 'two',
    outcome: outcome === 'pass' ? 'pass' : 'fail',
    duration_ms: 1,
    ...failure,
  } as const;
  return { outcome, passed, total: 2, cases: [one, two], duration_ms: 5 };
}

/** What a role answers where nothing is wrong. */
export function goodResult({ input }: CallEffect, units: readonly UnitSpec[]): AgentResult {
  switch (input.role) {
    case 'pm':
      return { role: 'pm', ok: true, prd_rev: input.prd_rev, change_summary: 'a todo list', acceptance: [] };
    case 'architect': {
      const about = { ok: true, sdd_rev: input.sdd_rev, change_summary: 'store and api' };
      return { role: 'architect', ...about, units: [...units], units_count: units.length };
    }
    case 'coder':
      return { role: 'coder', ok: true, unit_id: input.unit, attempt: input.attempt, summary: 'done' };
    case 'tester':
      return {
        role: 'tester',
        ok: true,
        unit_id: input.unit,
        attempt: input.attempt,
        tests: ['adds'],
        summary: 'tested',
      };
    case 'integrator':
      return { role: 'integrator', ok: true, run_id: input.run, cases_passed: 2, cases_total: 2 };
    case 'bug-triager': {
      const about = { run_id: input.run, category: 'code' as const, confidence: 0.9 };
      return { role: 'bug-triager', ...about, blamed_units: [units[0]?.id ?? ''], reason: 'the store forgets' };
    }
  }
}

/** The pure loop, told event by event: no IO, a clock that counts, and answers to whatever is under way. */
export class LoopStory {
  readonly events: LoopEvent[] = [];
  readonly lines: ProjectEvent[] = [];
  readonly entries: LedgerEntry[] = [];
  units: readonly UnitSpec[] = [unitSpec('store'), unitSpec('api', ['store'])];
  #state: ProjectState | undefined;
  #shas = 0;

  constructor(settings: SettingsInput = {}, team: Team = DEFAULT_TEAM) {
    this.tell({
      kind: 'project.created',
      pid: parseProjectId('p-abcdefgh'),
      cid: parseCompanyId('default'),
      requirement: 'A todo list\nwith an API',
      team,
      settings: settingsSchema.parse(settings),
    });
  }

  get state(): ProjectState {
    if (this.#state === undefined) throw new Error('the story has not begun');
    return this.#state;
  }

  get underWay(): readonly string[] {
    return this.state.inflight.map(({ kind, key }) => `${kind} ${key}`);
  }

  tell(happening: Happening): Decision {
    const event = { ...happening, at: new Date(Date.UTC(2026, 0, 1) + this.events.length * 1000).toISOString() };
    const decision = decide(this.#state, event);
    this.#state = decision.state;
    this.events.push(event);
    this.entries.push(decision.entry);
    this.lines.push(...decision.entry.events);
    return decision;
  }

  /** Starts the project, whose first commit lands before. */
  run(): this {
    if (this.state.head === undefined) this.land();
    this.tell({ kind: 'run.requested', units: [], head: this.state.head ?? oid(0), sandboxed: true });
    return this;
  }

  /** The first effect under way of a kind. */
  effect<Kind extends Effect['kind']>(
    kind: Kind,
    holds: (effect: Extract<Effect, { kind: Kind }>) => boolean = () => true,
  ) {
    const found = this.state.inflight.find(
      (effect): effect is Extract<Effect, { kind: Kind }> =>
        effect.kind === kind && holds(effect as Extract<Effect, { kind: Kind }>),
    );
    if (found === undefined) throw new Error(`no ${kind} is under way: ${this.underWay.join(', ')}`);
    return found;
  }

  call(role: CallEffect['role'], unit?: string): CallEffect {
    return this.effect('call_agent', (effect) => effect.role === role && (unit === undefined || effect.unit === unit));
  }

  complete(role: CallEffect['role'], change: Partial<AgentResult> = {}, unit?: string): Decision {
    const effect = this.call(role, unit);
    const result = { ...goodResult(effect, this.units), ...change } as AgentResult;
    const tests = role === 'tester' ? { tests_tree: oid(900) } : {};
    return this.tell({ kind: 'call.completed', key: effect.key, result, record: RECORD, ...tests });
  }

  fail(role: CallEffect['role'], reason: Extract<Happening, { kind: 'call.failed' }>['reason']): Decision {
    return this.tell({ kind: 'call.failed', key: this.call(role).key, reason, detail: 'no luck', record: RECORD });
  }

  land(): Decision {
    const { key, spec } = this.effect('commit');
    const tag = spec.tag === undefined ? {} : { tag: spec.tag.name };
    return this.tell({ kind: 'commit.landed', key, sha: oid(++this.#shas), left_out: [], ...tag });
  }

  save(): Decision {
    return this.tell({ kind: 'attempt.saved', key: this.effect('save_attempt').key, sha: oid(++this.#shas) });
  }

  tested(outcome: UnitOutcome): Decision {
    const { key } = this.effect('test_unit');
    const trees = { code_tree: oid(800), tests_tree: oid(900) };
    return this.tell({ kind: 'unit.tested', key, run: this.nextRun(), report: unitReport(outcome), ...trees });
  }

  integrated(outcome: IntegrationReport['outcome']): Decision {
    const { key } = this.effect('run_integration');
    return this.tell({ kind: 'integration.ran', key, run: this.nextRun(), report: integrationReport(outcome) });
  }

  /** From the start to units at work. */
  toUnits(): this {
    this.run();
    this.complete('pm');
    this.land();
    this.complete('architect');
    this.land();
    return this;
  }

  /** One attempt of the unit that is at work first. */
  attempt(outcome: UnitOutcome): this {
    this.complete('coder');
    this.complete('tester');
    this.tested(outcome);
    if (outcome === 'green') this.land();
    else this.save();
    return this;
  }

  /** From the start to the first run of the integration cases. */
  toIntegration(): this {
    this.toUnits();
    for (const _ of this.units) this.attempt('green');
    return this;
  }

  integration(
    outcome: IntegrationReport['outcome'],
    triage: Partial<Extract<AgentResult, { role: 'bug-triager' }>> = {},
  ): this {
    this.integrated(outcome);
    this.complete('integrator');
    this.land();
    if (outcome === 'pass') return this;
    this.complete('bug-triager', triage);
    this.land();
    return this;
  }

  toShipped(): this {
    this.toIntegration().integration('pass');
    this.land();
    return this;
  }

  nextRun() {
    return parseRunId(`r-${String(this.events.length).padStart(16, '0')}`);
  }
}
