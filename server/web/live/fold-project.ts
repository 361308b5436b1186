import type { Call, Project } from '../api/types.ts';
import { type LiveEvent, numberIn, textIn } from './live-event.ts';

/**
 * What a project looks like after an event, until it is read anew: status, gate, revisions, units and calls. Putting an event on that the
 * project has already changes nothing, so that it does not matter which of the two came first.
 */
export function foldProject(project: Project, event: LiveEvent): Project {
  switch (event.kind) {
    case 'project_status': {
      const { reason: _reason, detail: _detail, gate, ...rest } = project;
      const status = textIn(event, 'status') as Project['status'];
      return {
        ...rest,
        status,
        ...(gate !== undefined && status === 'waiting_approval' ? { gate } : {}),
        ...(typeof event.reason === 'string' ? { reason: event.reason } : {}),
        ...(typeof event.detail === 'string' ? { detail: event.detail } : {}),
      };
    }
    case 'gate_waiting':
      return { ...project, gate: textIn(event, 'gate') as 'prd' | 'sdd' };
    case 'git_tagged':
      return withRevision(project, textIn(event, 'tag'));
    case 'unit_status':
      return {
        ...project,
        units: project.units.map((unit) => (unit.id === event.unit ? unitAfter(unit, event) : unit)),
      };
    case 'agent_started':
      return withCall(project, event, (known) => known ?? callOf(event));
    case 'agent_finished':
      return withCall(project, event, (known) => ended(known ?? callOf(event), event, 'done'));
    case 'agent_failed':
      return withCall(project, event, (known) => ended(known ?? callOf(event), event, 'failed'));
    default:
      return project;
  }
}

/** A tag such as `prd-rev-2` makes that revision the one that counts. */
function withRevision(project: Project, tag: string): Project {
  const [, kind, number] = /^(prd|sdd)-rev-(\d+)$/.exec(tag) ?? [];
  if ((kind !== 'prd' && kind !== 'sdd') || Number(number) <= project.revisions[kind]) return project;
  return { ...project, revisions: { ...project.revisions, [kind]: Number(number) } };
}

function unitAfter(unit: Project['units'][number], event: LiveEvent): Project['units'][number] {
  return {
    ...unit,
    status: textIn(event, 'status') as typeof unit.status,
    round: numberIn(event, 'round') ?? unit.round,
    attempt: numberIn(event, 'attempt') ?? unit.attempt,
  };
}

function withCall(project: Project, event: LiveEvent, change: (known: Call | undefined) => Call): Project {
  const at = project.calls.findIndex(({ call }) => call === event.call);
  const known = project.calls[at];
  const next = change(known);
  if (next === known) return project;
  return { ...project, calls: known === undefined ? [...project.calls, next] : project.calls.with(at, next) };
}

/** A call as its start tells of it. */
function callOf(event: LiveEvent): Call {
  const round = numberIn(event, 'round');
  const attempt = numberIn(event, 'attempt');
  return {
    call: textIn(event, 'call'),
    role: textIn(event, 'role') as Call['role'],
    status: 'running',
    started_at: event.ts,
    ...(typeof event.unit === 'string' ? { unit: event.unit } : {}),
    ...(round === undefined ? {} : { round }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(typeof event.driver === 'string' ? { driver: event.driver } : {}),
  };
}

function ended(call: Call, event: LiveEvent, status: 'done' | 'failed'): Call {
  if (call.status !== 'running') return call;
  const duration = numberIn(event, 'duration_ms');
  return {
    ...call,
    status,
    ...(duration === undefined ? {} : { duration_ms: duration }),
    ...(event.usage instanceof Object ? { usage: event.usage as NonNullable<Call['usage']> } : {}),
    ...(typeof event.detail === 'string' ? { detail: event.detail } : {}),
  };
}
