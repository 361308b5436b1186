import type { AttemptKey } from './commit.ts';
import { type CommitEffect, type CommitPurpose, isClosing, type SaveEffect, type WriteEffect } from './effect.ts';
import type { CallId, Oid } from './ids.ts';
import type { WriteOutcome } from './loop-event.ts';
import { type CallState, NEW_TASK, type ProjectState, type Stage, withUnit } from './project-state.ts';
import { type TransitionCause, transition } from './status-transitions.ts';
import { takeInflight } from './take-inflight.ts';
import { designedUnits, ended, nextAttempt } from './unit-rounds.ts';

/** Folds the outcome of a commit or of an attempt that was kept: what it stood for is done, or it will be tried again. */
export function applyWrite(state: ProjectState, event: WriteOutcome): ProjectState {
  const { effect, rest } = takeInflight(state, event.key, 'commit', 'save_attempt');
  switch (event.kind) {
    case 'commit.landed':
    case 'attempt.saved':
      return landed(withoutFailed(rest, effect), effect, event.sha);
    case 'write.failed':
      return writeFailed(rest, effect, event.detail);
    case 'work.moved':
      return effect.kind === 'commit' && effect.tested !== undefined
        ? withUnit(withoutFailed(rest, effect), effect.tested.unit, () => ({ next: 'verify', tested: undefined }))
        : rest;
  }
}

function landed(state: ProjectState, effect: WriteEffect, sha: Oid): ProjectState {
  const noted = noteWrite(state, effect, effect.kind === 'commit' ? { sha, detail: undefined } : { sha });
  return effect.kind === 'commit' ? afterCommit({ ...noted, head: sha }, effect) : attemptSaved(noted, effect);
}

/** Notes what became of the work of the calls that a write holds. */
function noteWrite(state: ProjectState, effect: WriteEffect, change: Partial<CallState>): ProjectState {
  const held = callsOf(effect);
  return { ...state, calls: state.calls.map((call) => (held.includes(call.call) ? { ...call, ...change } : call)) };
}

function callsOf(effect: WriteEffect): readonly CallId[] {
  if (effect.kind === 'save_attempt') return effect.calls;
  const { purpose } = effect;
  if (purpose.kind === 'code') return purpose.calls;
  return 'call' in purpose ? [purpose.call] : [];
}

/** A closing commit that failed is not tried again by itself: the person is told, and may ask again. */
function writeFailed(state: ProjectState, effect: WriteEffect, detail: string): ProjectState {
  if (effect.kind === 'commit' && isClosing(effect.purpose)) return state;
  const tries = 1 + (state.failed.find((write) => write.effect.key === effect.key)?.tries ?? 0);
  const told = effect.kind === 'commit' ? noteWrite(state, effect, { detail: `not committed yet: ${detail}` }) : state;
  const kept = withoutFailed(told, effect);
  return { ...kept, failed: [...kept.failed, { effect, tries, detail }] };
}

const withoutFailed = (state: ProjectState, { key }: WriteEffect): ProjectState => ({
  ...state,
  failed: state.failed.filter(({ effect }) => effect.key !== key),
});

function attemptSaved(state: ProjectState, { unit, round, attempt }: SaveEffect): ProjectState {
  const last_red: AttemptKey = { unit, round, attempt };
  return withUnit(state, unit, (at) => ({
    ...(attempt >= state.settings.attempts ? ended('failed') : nextAttempt(at)),
    last_red,
    last_report: at.tested?.report ?? at.last_report,
  }));
}

function afterCommit(state: ProjectState, { purpose }: CommitEffect): ProjectState {
  switch (purpose.kind) {
    case 'init':
      return state;
    case 'prd':
      return prdLanded(state, purpose);
    case 'sdd':
      return sddLanded(state, purpose);
    case 'code':
      return withUnit(state, purpose.unit, () => ended('green'));
    case 'integ':
      return advanced(state, purpose.call, afterIntegration(state.stage, purpose.passed));
    case 'triage':
      return advanced(state, purpose.call, { kind: 'repair', triage: purpose.triage });
    case 'ship':
      return state.stage.kind === 'ship' ? { ...closed(state, 'ship'), stage: { kind: 'done' } } : state;
    case 'sign_off':
      return closed(state, 'sign_off');
    case 'abandon':
      return { ...closed(state, 'abandon'), reason: purpose.reason };
  }
}

function prdLanded(state: ProjectState, purpose: Extract<CommitPurpose, { kind: 'prd' }>): ProjectState {
  const landed = {
    ...state,
    revisions: { ...state.revisions, prd: purpose.rev },
    feedback: state.feedback.slice(purpose.feedback),
  };
  const design = { kind: 'sdd', mode: 'generate', affected: [], note: undefined, task: NEW_TASK } as const;
  return advanced(landed, purpose.call, state.settings.gates.prd ? { kind: 'gate', gate: 'prd' } : design);
}

function sddLanded(state: ProjectState, purpose: Extract<CommitPurpose, { kind: 'sdd' }>): ProjectState {
  const { mode, rev, result, affected, note } = purpose;
  const reason = mode === 'patch' ? note : undefined;
  const landed = {
    ...state,
    designs: state.designs + 1,
    revisions: { ...state.revisions, sdd: rev },
    units: designedUnits(state.units, { specs: result.units, affected, reason }),
  };
  const gated = state.settings.gates.sdd && mode === 'generate';
  return advanced(landed, purpose.call, gated ? { kind: 'gate', gate: 'sdd' } : { kind: 'units' });
}

function afterIntegration(stage: Stage, passed: boolean): Stage {
  if (passed) return { kind: 'ship' };
  if (stage.kind !== 'integration' || stage.run === undefined) return stage;
  return { kind: 'triage', run: stage.run, task: NEW_TASK };
}

/** Moves on, unless something (a feedback) has taken the project elsewhere since the call. */
function advanced(state: ProjectState, call: CallId, stage: Stage): ProjectState {
  const done = 'task' in state.stage ? state.stage.task.done : undefined;
  return done?.call === call ? { ...state, stage } : state;
}

function closed(state: ProjectState, cause: TransitionCause): ProjectState {
  const status = transition(state.status, cause) ?? state.status;
  return { ...state, status, reason: undefined, detail: undefined, blocker: undefined };
}
