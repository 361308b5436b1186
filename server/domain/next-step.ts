import { exceededBudget, exceededRounds, unheldBudget } from './budgets.ts';
import { unitOf } from './effect.ts';
import type { Gate } from './events.ts';
import type { UnitId } from './ids.ts';
import { parallelUnits } from './parallel-units.ts';
import type { Blocker, ProjectState, TaskStage } from './project-state.ts';
import type { Role } from './roles.ts';
import type { UnitState } from './unit-state.ts';

/** What is to be done next. */
export type Step =
  /** Nothing, until a person asks for something. */
  | { readonly kind: 'rest' }
  /** Nothing, until something that is under way has ended. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'write_again'; readonly key: string }
  | { readonly kind: 'call'; readonly role: Role; readonly unit?: UnitId }
  | { readonly kind: 'test'; readonly unit: UnitId }
  | { readonly kind: 'save'; readonly unit: UnitId }
  | { readonly kind: 'commit'; readonly unit?: UnitId }
  | { readonly kind: 'integrate' }
  | { readonly kind: 'repair' }
  | { readonly kind: 'gate'; readonly gate: Gate }
  | { readonly kind: 'block'; readonly reason: string; readonly detail: string };

/** Tries of one write before the project is blocked. */
export const WRITE_TRIES = 3;

const STAGE_ROLE = { prd: 'pm', sdd: 'architect', integration: 'integrator', triage: 'bug-triager' } as const;

interface Allowed {
  readonly calls: boolean;
  /** Test runs, and moving on to another stage. */
  readonly runs: boolean;
}

/**
 * Says what a project does next. Ask again after each step is under way: several units may work side by side.
 * What blocks the project lets what is under way end and be committed first.
 */
export function nextStep(state: ProjectState): Step {
  if (state.status !== 'running') return { kind: 'rest' };
  const again = state.failed.find((write) => write.tries < WRITE_TRIES && !isUnderWay(state, write.effect.key));
  if (again !== undefined) return { kind: 'write_again', key: again.effect.key };
  const blocker = blockerOf(state);
  const allowed = { calls: blocker === undefined, runs: blocker === undefined || blocker.reason === 'budget' };
  const step = stageStep(state, allowed);
  if (step !== undefined) return step;
  if (state.inflight.length > 0) return { kind: 'wait' };
  return { kind: 'block', ...(blocker ?? failedUnits(state)) };
}

export function isUnderWay(state: ProjectState, key: string): boolean {
  return state.inflight.some((effect) => effect.key === key);
}

/** Why the project cannot go on by itself, where that is so. */
export function blockerOf(state: ProjectState): Blocker | undefined {
  if (state.blocker !== undefined) return state.blocker;
  const stuck = state.failed.find(({ tries }) => tries >= WRITE_TRIES);
  if (stuck !== undefined) return { reason: 'git_failed', detail: stuck.detail };
  const budget = exceededBudget(state);
  if (budget !== undefined) {
    return { reason: 'budget', detail: `the budget of ${budget.budget} is spent: ${budget.spent} of ${budget.limit}` };
  }
  const unheld = unheldBudget(state);
  if (unheld !== undefined) return { reason: 'budget', detail: unheld };
  return repairBlocker(state);
}

function repairBlocker(state: ProjectState): Blocker | undefined {
  if (state.stage.kind !== 'repair') return undefined;
  const { category, reason } = state.stage.triage;
  if (category === 'environment' && state.environment_rounds > 0) return { reason: 'environment', detail: reason };
  const rounds = exceededRounds(state);
  if (rounds === undefined) return undefined;
  return {
    reason: 'integration_failed',
    detail: `${rounds.limit} rounds of integration failed; the last one: ${reason}`,
  };
}

function failedUnits(state: ProjectState): Blocker {
  const names = state.units.filter(({ status }) => status === 'failed').map(({ id }) => id);
  return { reason: 'unit_failed', detail: `no attempt was green: ${names.join(', ')}` };
}

function stageStep(state: ProjectState, allowed: Allowed): Step | undefined {
  const { stage } = state;
  if (stage.kind === 'units') return unitsStep(state, allowed);
  if (state.inflight.length > 0 || state.failed.length > 0) return undefined;
  switch (stage.kind) {
    case 'prd':
    case 'sdd':
    case 'integration':
    case 'triage':
      return taskStep(stage, allowed);
    case 'gate':
      return { kind: 'gate', gate: stage.gate };
    case 'repair':
      return allowed.runs ? { kind: 'repair' } : undefined;
    case 'ship':
      return { kind: 'commit' };
    case 'done':
      return undefined;
  }
}

function taskStep(stage: TaskStage, allowed: Allowed): Step | undefined {
  if (stage.task.done !== undefined) return { kind: 'commit' };
  if (stage.kind === 'integration' && stage.run === undefined) return allowed.runs ? { kind: 'integrate' } : undefined;
  return allowed.calls ? { kind: 'call', role: STAGE_ROLE[stage.kind] } : undefined;
}

function unitsStep(state: ProjectState, allowed: Allowed): Step | undefined {
  const busy = new Set([...state.inflight, ...state.failed.map(({ effect }) => effect)].map(unitOf));
  const free = state.units.filter(({ id, next }) => next !== 'none' && !busy.has(id));
  for (const unit of free) {
    const step = unitStep(state, unit, allowed);
    if (step !== undefined) return step;
  }
  const green = state.units.every(({ status }) => status === 'green');
  return green && allowed.runs && busy.size === 0 ? { kind: 'integrate' } : undefined;
}

function unitStep(state: ProjectState, unit: UnitState, allowed: Allowed): Step | undefined {
  switch (unit.next) {
    case 'code':
      return allowed.calls && mayBegin(state, unit) ? { kind: 'call', role: 'coder', unit: unit.id } : undefined;
    case 'test':
      return allowed.calls && mayBegin(state, unit) ? { kind: 'call', role: 'tester', unit: unit.id } : undefined;
    case 'verify':
      return allowed.runs ? { kind: 'test', unit: unit.id } : undefined;
    case 'save':
      return { kind: 'save', unit: unit.id };
    case 'commit':
      return { kind: 'commit', unit: unit.id };
    case 'none':
      return undefined;
  }
}

/** A unit in the middle of a round goes on; another begins when what it depends on is green and there is room beside the others. */
function mayBegin(state: ProjectState, unit: UnitState): boolean {
  if (unit.base !== undefined) return true;
  const working = state.units.filter(({ base }) => base !== undefined).length;
  const green = new Set(state.units.filter(({ status }) => status === 'green').map(({ id }): string => id));
  return working < parallelUnits(state) && unit.spec.depends_on.every((id) => green.has(id));
}
