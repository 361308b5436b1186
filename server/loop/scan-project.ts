import type { Effect } from '../domain/effect.ts';
import { isDevLoopError } from '../domain/errors.ts';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import type { ProjectState } from '../domain/project-state.ts';
import { type BootFacts, recoveryPlan } from '../domain/recovery-plan.ts';
import { closeCallFile } from './call-file.ts';
import type { LoadedProject } from './load-project.ts';
import type { LoopPorts } from './ports.ts';

/** Looks at a project's repository after a start, and notes what a killed server left: see `recoveryPlan`. */
export async function scanProject(ports: LoopPorts, { actor, repaired }: LoadedProject): Promise<void> {
  await finishCreation(actor);
  const recoveries = await actor.alone(async () => {
    const facts = await gatherFacts(ports, actor.state);
    await closeCalls(ports, actor);
    const started: Effect[] = [];
    for (const happening of recoveryPlan(actor.state, { ...facts, repaired: [...repaired, ...facts.repaired] })) {
      started.push(...(await actor.accept(happening)));
    }
    return started.map(({ key }) => ({ outcome: actor.outcome(key) }));
  });
  for (const { outcome } of recoveries) await outcome;
}

/** call.json of a call that was running is a copy for readers; they must not see it running for ever. */
async function closeCalls(ports: LoopPorts, { folder, state }: LoadedProject['actor']): Promise<void> {
  for (const effect of state.inflight) {
    const started_at = state.calls.find(({ call }) => call === effect.key)?.started_at;
    if (effect.kind !== 'call_agent' || started_at === undefined) continue;
    await closeCallFile(effect, { ports, folder }, { started_at, status: 'interrupted' });
  }
}

/** A project whose first commit was under way gets it now. */
async function finishCreation(actor: LoadedProject['actor']): Promise<void> {
  const init = actor.state.inflight.find((effect) => effect.kind === 'commit' && effect.purpose.kind === 'init');
  if (init === undefined) return;
  const outcome = actor.outcome(init.key);
  actor.start(init);
  await outcome;
}

/** A repository that cannot even be looked at is a finding too. */
async function gatherFacts(ports: LoopPorts, state: ProjectState): Promise<BootFacts> {
  try {
    return await vaultFacts(ports, state);
  } catch (error) {
    if (!isDevLoopError(error)) throw error;
    const status = { dirty: false, snapshot: '', files: [] };
    const problems = [`${error.code}: ${error.message}`];
    return { head: state.head ?? ZERO_OID, repaired: [], problems, landed: [], saved: [], status };
  }
}

async function vaultFacts({ vault }: LoopPorts, state: ProjectState): Promise<BootFacts> {
  const { pid, inflight } = state;
  const { head, repaired, problems } = await vault.inspect(pid);
  const landed: BootFacts['landed'][number][] = [];
  for (const effect of inflight) {
    const spec = specOf(effect);
    if (spec === undefined || (await vault.committed(pid, spec.key)) === undefined) continue;
    const outcome = await vault.commit(pid, spec);
    if (outcome.kind === 'committed') landed.push({ key: effect.key, outcome });
  }
  return {
    head,
    repaired,
    problems,
    landed,
    saved: await savedAttempts(vault, state),
    status: await vault.status(pid),
  };
}

const specOf = (effect: Effect) => (effect.kind === 'commit' || effect.kind === 'recover' ? effect.spec : undefined);

async function savedAttempts(
  vault: LoopPorts['vault'],
  { pid, inflight }: ProjectState,
): Promise<readonly { readonly key: string; readonly sha: Oid }[]> {
  const saves = inflight.filter((effect) => effect.kind === 'save_attempt');
  if (saves.length === 0) return [];
  const kept = await vault.attempts(pid);
  return saves.flatMap(({ key, unit, round, attempt }) => {
    const found = kept.find((one) => one.unit === unit && one.round === round && one.attempt === attempt);
    return found === undefined ? [] : [{ key, sha: found.sha }];
  });
}
