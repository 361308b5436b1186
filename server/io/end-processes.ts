import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessEntry, processHasVariable, processTable } from './process-table.ts';

/** The environment variable that carries a call's marker: what has it belongs to the call, whatever its parent is. */
export const MARKER_VARIABLE = 'DEVLOOP_MARKER';

/** What names a process for certain, and the marker that it and its descendants were given. */
export interface StartedProcess {
  readonly pid: number;
  /** Clock ticks since boot; undefined where the process was gone at once, or the system does not tell. */
  readonly start_time: string | undefined;
  readonly marker: string;
}

/**
 * Ends a process that leads a group, its group, its descendants, and whatever carries its marker in its environment:
 * TERM, a grace of `grace_ms`, then KILL until nothing is left. Processes are found by id and start time, never by name.
 * @returns the ids of those that even a kill did not end within two seconds.
 */
export async function endProcesses(
  started: StartedProcess,
  options: { readonly grace_ms: number },
): Promise<readonly number[]> {
  const family = new Family(started);
  if (family.signal('SIGTERM') === 0) return [];
  const deadline = performance.now() + options.grace_ms;
  for (let wait = 2; performance.now() < deadline; wait = Math.min(wait * 1.5, 50)) {
    await delay(wait);
    if (family.members().length === 0) return [];
  }
  for (let round = 0; round < 40; round++) {
    if (family.signal('SIGKILL') === 0) return [];
    await delay(round < 10 ? 5 : 50);
  }
  return family.members().map(({ pid }) => pid);
}

/** The processes of one call. Descendants that were seen once stay known, also when their parents are gone. */
class Family {
  readonly #started: StartedProcess;
  readonly #known = new Set<string>();

  constructor(started: StartedProcess) {
    this.#started = started;
  }

  /** @returns how many were there to be signalled. */
  signal(name: NodeJS.Signals): number {
    const members = this.members();
    for (const { pid } of members) sendSignal(pid, name);
    return members.length;
  }

  members(): readonly ProcessEntry[] {
    const table = processTable();
    const { pid, start_time, marker } = this.#started;
    const leader = table.find((entry) => entry.pid === pid);
    const reused = leader !== undefined && leader.start_time !== start_time;
    const variable = `${MARKER_VARIABLE}=${marker}`;
    // What is older than the leader cannot have been given its marker.
    const since = Number(start_time ?? 0);
    const own = table.filter(
      (entry) =>
        entry.pid !== process.pid &&
        (this.#known.has(nameOf(entry)) ||
          (!reused && start_time !== undefined && (entry.pid === pid || entry.group === pid)) ||
          (Number(entry.start_time) >= since && processHasVariable(entry.pid, variable))),
    );
    const all = withDescendants(own, table);
    for (const entry of all) this.#known.add(nameOf(entry));
    return all;
  }
}

const nameOf = ({ pid, start_time }: ProcessEntry): string => `${pid}:${start_time}`;

function withDescendants(roots: readonly ProcessEntry[], table: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const found = new Map(roots.map((entry) => [entry.pid, entry]));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of table) if (found.has(entry.parent) && entry.pid !== process.pid) found.set(entry.pid, entry);
  }
  return [...found.values()];
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It ended between the look and the signal, or belongs to another user: then it is among the survivors.
    if (!(error instanceof Error && 'code' in error && ['ESRCH', 'EPERM'].includes(String(error.code)))) throw error;
  }
}
