import type { TriageResult } from './agent-results.ts';
import { DevLoopError } from './errors.ts';
import { parseUnitId, type UnitId } from './ids.ts';
import { NEW_TASK, type ProjectState, type Stage } from './project-state.ts';
import { nextRound } from './unit-rounds.ts';

/** What a triage leads to: the category decides who works next, and another integration round begins. */
export function repair(state: ProjectState): ProjectState {
  if (state.stage.kind !== 'repair')
    throw new DevLoopError('internal', `nothing to repair at the stage ${state.stage.kind}`);
  const { triage } = state.stage;
  const blamed = triage.blamed_units.map(parseUnitId);
  const environment_rounds = triage.category === 'environment' ? state.environment_rounds + 1 : 0;
  return {
    ...state,
    round: state.round + 1,
    environment_rounds,
    stage: repairStage(triage, blamed),
    units: repairUnits(state, triage, blamed),
  };
}

function repairStage(triage: TriageResult, affected: readonly UnitId[]): Stage {
  switch (triage.category) {
    case 'code':
    case 'test':
      return { kind: 'units' };
    case 'contract':
    case 'sdd':
      return { kind: 'sdd', mode: 'patch', affected, note: triage.reason, task: NEW_TASK };
    case 'prd':
      return { kind: 'prd', triage_reason: triage.reason, task: NEW_TASK };
    case 'environment':
      return { kind: 'integration', run: undefined, task: NEW_TASK };
  }
}

function repairUnits(
  state: ProjectState,
  { category, reason }: TriageResult,
  blamed: readonly UnitId[],
): ProjectState['units'] {
  if (category !== 'code' && category !== 'test') return state.units;
  const next = category === 'code' ? 'code' : 'test';
  return state.units.map((unit) =>
    blamed.includes(unit.id) ? nextRound(unit, { next, triage_reason: reason }) : unit,
  );
}
