import { type Decision, decide } from '../domain/decide.ts';
import type { ProjectState } from '../domain/project-state.ts';
import { eventOfRecord } from './journal-record.ts';
import type { LoopPorts, ProjectFolder } from './ports.ts';
import { ProjectActor } from './project-actor.ts';

/** A project as its journal tells it. `repaired` names what was mended in its ledgers. */
export interface LoadedProject {
  readonly actor: ProjectActor;
  readonly repaired: readonly string[];
}

/**
 * Folds a project's journal and appends the ledger entries that a killed server had not come to.
 * @returns undefined where the folder has no journal: it was not made here
 */
export async function loadProject(ports: LoopPorts, folder: ProjectFolder): Promise<LoadedProject | undefined> {
  const records = await ports.journal.load(folder.pid);
  if (records.length === 0) return undefined;
  const { repaired } = await ports.ledgers.open(folder.pid);
  const told = await ports.ledgers.position(folder.pid);
  let state: ProjectState | undefined;
  for (const [i, record] of records.entries()) {
    const decision: Decision = decide(state, eventOfRecord(record, i + 1));
    state = decision.state;
    if (i + 1 > told) await ports.ledgers.append(folder.pid, i + 1, decision.entry);
  }
  return { actor: new ProjectActor(ports, folder, { state, position: records.length }), repaired };
}
