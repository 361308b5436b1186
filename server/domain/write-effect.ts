import { buildCommitSpec } from './build-commit-spec.ts';
import { coderLog } from './coder-log.ts';
import { trailersOf } from './commit-message.ts';
import type { CommitEffect, SaveEffect, ServerFile } from './effect.ts';
import { DevLoopError } from './errors.ts';
import { type CallId, parseUnitId } from './ids.ts';
import { nextKey } from './next-key.ts';
import { projectFile } from './project-file.ts';
import type { Done, ProjectState, Stage } from './project-state.ts';
import { ROLE_IDENTITY } from './roles.ts';
import type { UnitState } from './unit-state.ts';

/** The commit of what the project's stage has ready: a role's work, or the ship. */
export function stageCommit(state: ProjectState): CommitEffect {
  const { stage, revisions } = state;
  if (stage.kind === 'ship') {
    const key = nextKey(state, 'ship');
    const spec = buildCommitSpec({ kind: 'ship', key, revisions });
    return { ...commitOf(spec, { kind: 'ship' }), writes: [projectJson(state, 'shipped')] };
  }
  if (!('task' in stage) || stage.task.done === undefined) {
    throw new DevLoopError('internal', `there is nothing to commit at the stage ${stage.kind}`);
  }
  return taskCommit(state, stage, stage.task.done);
}

function taskCommit(state: ProjectState, stage: Stage, done: Done): CommitEffect {
  const { result, call } = done;
  const of = { call, record: done.record };
  if (result.role === 'pm') {
    const about = { kind: 'prd', rev: state.revisions.prd + 1, summary: result.change_summary } as const;
    return commitOf(buildCommitSpec({ ...about, ...of }), { ...about, call, feedback: done.feedback });
  }
  if (result.role === 'architect' && stage.kind === 'sdd') return designCommit(state, stage, { result, ...of });
  if (result.role === 'integrator' && stage.kind === 'integration' && stage.run !== undefined) {
    const { run, report } = stage.run;
    const passed = report.outcome === 'pass';
    const about = { run, outcome: passed ? 'pass' : 'fail', passed: report.passed, total: report.total } as const;
    return commitOf(buildCommitSpec({ kind: 'integ', ...about, ...of }), { kind: 'integ', call, run, passed });
  }
  if (result.role === 'bug-triager' && stage.kind === 'triage') {
    const { role, ...triage } = result;
    const { run } = stage.run;
    const spec = buildCommitSpec({ kind: 'triage', run, ...triage, ...of });
    const path = `integration/runs/${run}/triage.json`;
    return { ...commitOf(spec, { kind: 'triage', call, run, triage }), writes: [jsonFile(path, triage)] };
  }
  throw new DevLoopError('internal', `a result of ${result.role} at the stage ${stage.kind}`);
}

function designCommit(
  state: ProjectState,
  { mode, affected, note }: Extract<Stage, { kind: 'sdd' }>,
  {
    result,
    call,
    record,
  }: Pick<Done, 'call' | 'record'> & { readonly result: Extract<Done['result'], { role: 'architect' }> },
): CommitEffect {
  const generate = mode === 'generate';
  const rev = generate ? state.revisions.sdd + 1 : state.revisions.sdd;
  const named = result.affected_units ?? (generate ? undefined : affected);
  const spec = buildCommitSpec(
    generate
      ? { kind: 'sdd', rev, units: result.units.length, summary: result.change_summary, call, record }
      : { kind: 'sdd_patch', affected: named ?? [], call, record },
  );
  return commitOf(spec, {
    kind: 'sdd',
    call,
    mode,
    rev,
    result,
    affected: named?.map(parseUnitId),
    note,
  });
}

/** The commit of a green unit. */
export function unitCommit(unit: UnitState): CommitEffect {
  const { id, attempt, coder, tester, tested } = unit;
  const maker = coder ?? tester;
  if (maker === undefined || tested === undefined) throw new DevLoopError('internal', `unit ${id} has not been tested`);
  const spec = buildCommitSpec({ kind: 'code', unit: id, attempt, call: maker.call, record: maker.record });
  return {
    ...commitOf(spec, { kind: 'code', unit: id, calls: attemptCalls(unit) }),
    writes: [logFile(unit)],
    tested: { unit: id, code_tree: tested.code_tree, tests_tree: tested.tests_tree },
  };
}

/** What is kept of an attempt that was not green. */
export function attemptSave(state: ProjectState, unit: UnitState): SaveEffect {
  const { id, round, attempt, coder, tester, tested } = unit;
  const outcome = tested?.report.outcome;
  const verdict = outcome === undefined || outcome === 'green' ? 'failed' : outcome;
  const maker = coder ?? tester;
  const key = nextKey(state, 'save', id);
  const at = {
    unit: id,
    attempt,
    ...(maker && { record: maker.record }),
    ...(tester && { helper: ROLE_IDENTITY.tester }),
  };
  return {
    kind: 'save_attempt',
    key,
    unit: id,
    round,
    attempt,
    subject: `attempt(${id}): round ${round} · attempt ${attempt} · ${verdict}`,
    author: ROLE_IDENTITY.coder,
    trailers: trailersOf({ call: maker?.call ?? key, ...at }),
    files: [`units/${id}/**`],
    verdict,
    run: tested?.run,
    calls: attemptCalls(unit),
    writes: [logFile(unit)],
  };
}

/** The server's own commit that ends a project, one way or the other. */
export function closingCommit(
  state: ProjectState,
  end: { readonly kind: 'sign_off'; readonly user: string } | { readonly kind: 'abandon'; readonly reason: string },
): CommitEffect {
  const key = nextKey(state, end.kind === 'abandon' ? 'abandon' : 'sign-off');
  const spec = buildCommitSpec(
    end.kind === 'abandon'
      ? { kind: 'abandon', key, reason: end.reason }
      : { kind: 'sign_off', key, user: end.user, revisions: state.revisions },
  );
  const purpose =
    end.kind === 'abandon' ? ({ kind: 'abandon', reason: end.reason } as const) : ({ kind: 'sign_off' } as const);
  return {
    ...commitOf(spec, purpose),
    writes: [projectJson(state, end.kind === 'abandon' ? 'abandoned' : 'shipped-final')],
  };
}

/** The project's first commit. */
export function firstCommit(state: ProjectState): CommitEffect {
  const { pid, requirement } = state;
  const spec = buildCommitSpec({ kind: 'init', key: nextKey(state, 'init'), pid, requirement });
  return { ...commitOf(spec, { kind: 'init' }), writes: [projectJson(state, 'created')] };
}

function commitOf(spec: CommitEffect['spec'], purpose: CommitEffect['purpose']): CommitEffect {
  return { kind: 'commit', key: spec.key, purpose, spec, writes: [], tested: undefined };
}

/** The calls whose work is in the attempt. */
function attemptCalls({ attempt, coder, tester }: UnitState): readonly CallId[] {
  return [...(coder?.attempt === attempt ? [coder.call] : []), ...(tester === undefined ? [] : [tester.call])];
}

const projectJson = (state: ProjectState, status: Parameters<typeof projectFile>[1]): ServerFile => ({
  path: 'project.json',
  content: projectFile(state, status),
});

const logFile = ({ id, log }: UnitState): ServerFile => ({ path: `units/${id}/coder.log`, content: coderLog(log) });

const jsonFile = (path: string, value: unknown): ServerFile => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
});
