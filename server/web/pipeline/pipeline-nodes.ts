import type { Call, Project, Unit } from '../api/types.ts';

/** A thing in the picture of the pipeline, and what it waits for. */
export interface PipelineNode {
  readonly id: string;
  readonly kind: 'role' | 'gate' | 'unit' | 'end';
  /** The role's, the gate's or the unit's name. */
  readonly name: string;
  readonly title?: string;
  readonly state: string;
  /** Of units: how each attempt of the round ended, and how many are left. */
  readonly attempts?: readonly ('red' | 'green' | 'busy' | 'left')[];
  readonly round?: number;
  readonly after: readonly string[];
}

export interface PipelineFacts {
  readonly project: Project;
  /** How the last integration run ended, where there was one. */
  readonly integration: string | undefined;
}

/** The pipeline of a project as nodes: roles, gates where they are set, units with what they depend on, and the end. */
export function pipelineNodes({ project, integration }: PipelineFacts): readonly PipelineNode[] {
  const { units, settings, calls, status } = project;
  const role = (name: Call['role'], after: readonly string[], state = roleState(calls, name)): PipelineNode => ({
    id: name,
    kind: 'role',
    name,
    state,
    after,
  });
  const prd = settings.gates.prd ? [gateNode(project, 'prd', 'pm')] : [];
  const sdd = settings.gates.sdd ? [gateNode(project, 'sdd', 'architect')] : [];
  const leaves = units.filter(({ id }) => !units.some((unit) => unit.depends_on.includes(id)));
  const beforeUnits = sdd.length > 0 ? 'gate-sdd' : 'architect';
  const integrator = roleState(calls, 'integrator') === 'running' ? 'running' : (integration ?? 'waiting');
  const triager = roleState(calls, 'bug-triager');
  return [
    role('pm', []),
    ...prd,
    role('architect', [prd.length > 0 ? 'gate-prd' : 'pm']),
    ...sdd,
    ...units.map((unit) => unitNode(unit, project, beforeUnits)),
    role('integrator', leaves.length > 0 ? leaves.map(({ id }) => `unit-${id}`) : [beforeUnits], integrator),
    ...(triager === 'waiting' ? [] : [role('bug-triager', ['integrator'], triager)]),
    { id: 'end', kind: 'end', name: 'end', state: ENDS.has(status) ? status : 'waiting', after: ['integrator'] },
  ];
}

const ENDS = new Set<string>(['shipped', 'shipped-final', 'abandoned']);

function roleState(calls: readonly Call[], role: Call['role']): string {
  return calls.findLast((call) => call.role === role)?.status ?? 'waiting';
}

function gateNode({ status, gate, revisions }: Project, name: 'prd' | 'sdd', after: string): PipelineNode {
  const waits = status === 'waiting_approval' && gate === name;
  return {
    id: `gate-${name}`,
    kind: 'gate',
    name,
    state: waits ? 'waiting_approval' : revisions[name] > 0 ? 'done' : 'waiting',
    after: [after],
  };
}

function unitNode(unit: Unit, { settings }: Project, before: string): PipelineNode {
  return {
    id: `unit-${unit.id}`,
    kind: 'unit',
    name: unit.id,
    title: unit.title,
    state: unit.status,
    round: unit.round,
    attempts: attemptMarks(unit, settings.attempts),
    after: unit.depends_on.length > 0 ? unit.depends_on.map((id) => `unit-${id}`) : [before],
  };
}

/** Every attempt of the round before the last was red. */
function attemptMarks({ attempt, status }: Unit, limit: number): NonNullable<PipelineNode['attempts']> {
  const begun = status === 'waiting' ? attempt - 1 : attempt;
  const last = status === 'green' ? 'green' : status === 'red' || status === 'failed' ? 'red' : 'busy';
  return Array.from({ length: Math.max(limit, begun) }, (_, at) =>
    at + 1 < begun ? 'red' : at + 1 === begun ? last : 'left',
  );
}
