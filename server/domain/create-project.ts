import type { EventOf } from './loop-event.ts';
import { NEW_TASK, type ProjectState } from './project-state.ts';
import { underWay } from './take-step.ts';
import { firstCommit } from './write-effect.ts';

/** The state of a new project: its first commit is under way. */
export function createProject(event: EventOf<'project.created'> & { readonly at: string }): ProjectState {
  const { pid, cid, name, requirement, team, settings, at } = event;
  const state: ProjectState = {
    pid,
    cid,
    name,
    requirement,
    team,
    settings,
    sandboxed: false,
    created_at: at,
    updated_at: at,
    status: 'created',
    reason: undefined,
    detail: undefined,
    head: undefined,
    revisions: { prd: 0, sdd: 0 },
    stage: { kind: 'prd', task: NEW_TASK, triage_reason: undefined },
    units: [],
    round: 1,
    designs: 0,
    environment_rounds: 0,
    feedback: [],
    counter: 1,
    calls: [],
    runs: [],
    bugs: [],
    spent: { calls: 0, tokens: 0, cost: 0 },
    granted: { tokens: 0, cost: 0, rounds: 0, unpriced: false },
    blocker: undefined,
    inflight: [],
    aborting: [],
    failed: [],
    recovery: undefined,
  };
  return underWay(state, firstCommit(state));
}
