import type { RoleInput } from './agent-call.ts';
import type { CallEffect, StartingPoint } from './effect.ts';
import { DevLoopError } from './errors.ts';
import { nextKey } from './next-key.ts';
import type { ProjectState, Stage, TaskStage } from './project-state.ts';
import type { Role } from './roles.ts';
import { roleTeam } from './team.ts';
import type { UnitState } from './unit-state.ts';
import { roleFiles, roleScope } from './write-scope.ts';

/** A unit's call where `unit` is given, else the call of the stage that the project is at. */
export function callEffect(state: ProjectState, role: Role, unit: UnitState | undefined): CallEffect {
  const work = unit === undefined ? taskWork(state) : unitWork(state, role, unit);
  const { input } = work;
  const key = nextKey(state, role, ...(unit === undefined ? [] : [unit.id]));
  const at = { call: key, ...(unit && { unit: unit.id }), ...('run' in input && { run: input.run }) };
  return {
    kind: 'call_agent',
    key,
    role,
    ...work,
    team: roleTeam(state.team, role),
    scope: roleScope(role, at),
    limits: state.settings.limits,
    requirement: state.requirement,
    unit: unit?.id,
    test_command: unit?.spec.test_command,
    test_ms: state.settings.limits.test_ms,
    units: state.units.map(({ id }) => id),
    feedback: input.role === 'pm' ? input.feedback.length : 0,
  };
}

type Work = Pick<CallEffect, 'input' | 'round' | 'attempt' | 'from'>;

function unitWork(state: ProjectState, role: Role, unit: UnitState): Work {
  const { id, round, attempt, triage_reason, last_report } = unit;
  const about = {
    unit: id,
    title: unit.spec.title,
    attempt,
    round,
    ...(triage_reason !== undefined && { triage_reason }),
  };
  const input: RoleInput =
    role === 'coder'
      ? { role, ...about, ...(last_report && { last_report }) }
      : { role: 'tester', ...about, test_command: unit.spec.test_command };
  return { input, round, attempt, from: unitStart(state, role, unit) };
}

/**
 * What the unit's files must be when a call starts: those that the attempt begins with, where it is a later attempt or its
 * work was lost; for a Tester after a Coder only the tests. Undefined where the files stay as they are.
 */
function unitStart(state: ProjectState, role: Role, unit: UnitState): StartingPoint | undefined {
  const begins = role === (unit.first === 'code' ? 'coder' : 'tester');
  if (!unit.again && !(begins && unit.attempt > 1)) return undefined;
  const tests = `units/${unit.id}/tests/**`;
  const files = begins ? [`units/${unit.id}/code/**`, tests] : [tests];
  const red = unit.last_red;
  if (red !== undefined && (state.settings.retry_from === 'previous' || unit.first === 'test')) {
    return { rev: `attempts/${red.unit}/${red.round}/${red.attempt}`, files };
  }
  const rev = unit.base ?? state.head;
  return rev === undefined ? undefined : { rev, files };
}

function taskWork(state: ProjectState): Work {
  const { stage } = state;
  if (!('task' in stage)) throw new DevLoopError('internal', `no call is made at the stage ${stage.kind}`);
  const input = taskInput(state, stage);
  const files = roleFiles(input.role, 'run' in input ? { run: input.run } : {});
  const { again, base, tries } = stage.task;
  const from = again && base !== undefined && files.length > 0 ? { rev: base, files } : undefined;
  return { input, round: taskRound(state, input), attempt: tries + 1, from };
}

function taskInput(state: ProjectState, stage: TaskStage): RoleInput {
  const { prd, sdd } = state.revisions;
  switch (stage.kind) {
    case 'prd': {
      const { triage_reason } = stage;
      return {
        role: 'pm',
        requirement: state.requirement,
        prd_rev: prd + 1,
        feedback: state.feedback,
        ...(triage_reason !== undefined && { triage_reason }),
      };
    }
    case 'sdd': {
      const { mode, affected, note } = stage;
      const sdd_rev = mode === 'generate' ? sdd + 1 : sdd;
      const about = { sdd_rev, prd_rev: prd, affected_units: affected, ...(note !== undefined && { note }) };
      return { role: 'architect', mode, ...about };
    }
    case 'integration':
      return { role: 'integrator', ...integrationRun(stage), round: state.round };
    case 'triage':
      return { role: 'bug-triager', ...integrationRun(stage), round: state.round };
  }
}

function integrationRun(stage: Extract<Stage, { kind: 'integration' | 'triage' }>) {
  if (stage.run === undefined) throw new DevLoopError('internal', 'the integration cases have not been run');
  return stage.run;
}

/** PM works are counted by PRD revisions, the Architect's by how many there were, the others by integration rounds. */
function taskRound(state: ProjectState, input: RoleInput): number {
  if (input.role === 'pm') return input.prd_rev;
  return input.role === 'architect' ? state.designs + 1 : state.round;
}
