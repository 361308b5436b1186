import { hasWorkToLose } from './apply-recovery.ts';
import { pathText } from './byte-path.ts';
import type { CommitOutcome, FileChange } from './commit.ts';
import type { Oid } from './ids.ts';
import { landedEvent } from './landed-event.ts';
import type { Happening } from './loop-event.ts';
import type { ProjectState } from './project-state.ts';

/** What boot saw of a project's repository. */
export interface BootFacts {
  readonly head: Oid;
  readonly repaired: readonly string[];
  readonly problems: readonly string[];
  /** Commits and attempts that were under way and that the vault has. */
  readonly landed: readonly { readonly key: string; readonly outcome: Extract<CommitOutcome, { kind: 'committed' }> }[];
  readonly saved: readonly { readonly key: string; readonly sha: Oid }[];
  readonly status: { readonly dirty: boolean; readonly snapshot: string; readonly files: readonly FileChange[] };
}

/**
 * What to note at boot, in order: a running project is paused, what landed unnoted is noted, lost work is taken back, and dirty
 * files are listed, or dealt with as the project's policy says. Empty where all is as it was left.
 */
export function recoveryPlan(state: ProjectState, facts: BootFacts): readonly Happening[] {
  const { head, repaired, problems } = facts;
  const told = repaired.length > 0 || problems.length > 0;
  return [
    ...(state.status === 'running' ? [{ kind: 'project.interrupted' } as const] : []),
    ...landedEvents(state, facts),
    ...settledEvents(state, facts),
    ...(hasWorkToLose(state) || told ? [{ kind: 'boot.scanned', head, repaired, problems } as const] : []),
    ...foundEvents(state, facts),
  ];
}

function landedEvents(state: ProjectState, { landed, saved }: BootFacts): readonly Happening[] {
  return state.inflight.flatMap(({ kind, key }): readonly Happening[] => {
    const commit = landed.find((one) => one.key === key);
    if (commit !== undefined && kind === 'recover') return [];
    if (commit !== undefined) return [landedEvent(key, commit.outcome)];
    const attempt = saved.find((one) => one.key === key);
    return attempt === undefined ? [] : [{ kind: 'attempt.saved', ...attempt }];
  });
}

/** A wip commit that was made and not noted, or a tree that is clean by now. */
function settledEvents({ recovery, inflight }: ProjectState, { status, landed }: BootFacts): readonly Happening[] {
  if (status.dirty || recovery === undefined) return [];
  const { snapshot } = recovery;
  const recover = inflight.find(({ kind }) => kind === 'recover');
  const wip = landed.find(({ key }) => key === recover?.key);
  if (wip === undefined) return [{ kind: 'recovery.settled', action: 'clean', snapshot }];
  return [{ kind: 'recovery.settled', action: 'commit_as_wip', snapshot, sha: wip.outcome.sha }];
}

function foundEvents({ recovery, settings }: ProjectState, { status }: BootFacts): readonly Happening[] {
  if (!status.dirty) return [];
  const { snapshot } = status;
  const files = status.files.map(({ path, change }) => ({ ...pathText(path), change }));
  const { policy } = settings.recovery;
  return [
    ...(recovery?.snapshot === snapshot ? [] : [{ kind: 'recovery.found', snapshot, files } as const]),
    ...(policy === 'ask' ? [] : [{ kind: 'recovery.chosen', action: policy, snapshot } as const]),
  ];
}
