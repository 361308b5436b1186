import { pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { RecoveryOption } from '../domain/events.ts';
import type { Oid } from '../domain/ids.ts';
import type { Happening } from '../domain/loop-event.ts';
import type { VaultPort } from './ports.ts';
import type { ProjectActor } from './project-actor.ts';

/** Looks again at a project whose files are unsettled: settles it where they are clean by now, else lists what they are now. */
export async function refreshRecovery(actor: ProjectActor, vault: VaultPort): Promise<void> {
  if (actor.state.recovery !== undefined) await actor.alone(() => refresh(actor, vault));
}

/** Does with a project's dirty files what a person chose for exactly this state of them. */
export async function answerRecovery(
  actor: ProjectActor,
  vault: VaultPort,
  answer: { readonly action: RecoveryOption; readonly snapshot: string },
): Promise<{ readonly rescue?: string; readonly sha?: Oid }> {
  const { outcome } = await actor.alone(() => choose(actor, vault, answer));
  const settled = await outcome;
  if (settled?.kind === 'effect.failed') throw new DevLoopError(settled.code, settled.detail);
  if (settled?.kind !== 'recovery.settled') return {};
  const { rescue, sha } = settled;
  return { ...(rescue !== undefined && { rescue }), ...(sha !== undefined && { sha }) };
}

async function choose(
  actor: ProjectActor,
  vault: VaultPort,
  { action, snapshot }: { readonly action: RecoveryOption; readonly snapshot: string },
): Promise<{ readonly outcome: Promise<Happening> | undefined }> {
  const { pid } = actor.folder;
  if (actor.state.recovery === undefined) throw new DevLoopError('bad_state', `project ${pid} has nothing to recover`);
  if (underWay(actor) !== undefined) throw new DevLoopError('busy', `project ${pid} is being recovered`);
  await refresh(actor, vault);
  const found = actor.state.recovery;
  if (found === undefined) return { outcome: undefined };
  if (found.snapshot !== snapshot) {
    throw new DevLoopError('plan_stale', `the files of project ${pid} have changed since this choice was offered`, {
      data: { snapshot: found.snapshot },
      hint: 'Look at the list again.',
    });
  }
  const [effect] = await actor.accept({ kind: 'recovery.chosen', action, snapshot });
  return { outcome: effect && actor.outcome(effect.key) };
}

async function refresh(actor: ProjectActor, vault: VaultPort): Promise<void> {
  const { recovery, pid } = actor.state;
  if (recovery === undefined || underWay(actor) !== undefined) return;
  const { dirty, snapshot, files } = await vault.status(pid);
  if (!dirty) {
    await actor.accept({ kind: 'recovery.settled', action: 'clean', snapshot: recovery.snapshot });
  } else if (snapshot !== recovery.snapshot) {
    const changes = files.map(({ path, change }) => ({ ...pathText(path), change }));
    await actor.accept({ kind: 'recovery.found', snapshot, files: changes });
  }
}

const underWay = (actor: ProjectActor) => actor.state.inflight.find(({ kind }) => kind === 'recover');
