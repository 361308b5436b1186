import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { DevLoopError } from '../../../server/domain/errors.ts';
import type { GitVault } from '../../../server/vault/index.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { type Call, READS } from './calls.ts';
import { type HostilePlace, makePlace, openVaultAt } from './hostile-place.ts';
import { routeCalls } from './routes.ts';
import type { Trap } from './trap.ts';
import { WRITES } from './write-calls.ts';

/** What came of one trap. */
export interface TrapReport {
  readonly trap: string;
  /** Calls whose result was right, and those that ended with an error that has a code. */
  readonly right: number;
  readonly named: Readonly<Record<string, number>>;
  /** What should not have happened, in words. */
  readonly faults: readonly string[];
  readonly ms: number;
}

/** Longest time that a call may take; ms. */
const LIMIT_MS = 20_000;
const LARGE_LIMIT_MS = 150_000;

/** Reads that do not say what the history is. */
const ANY_TIME = new Set(['verify', 'rescues', 'status', 'treeIds']);

/** Plants a trap in a project at rest, makes every call, and looks what has run, was written outside, or still runs. */
export async function runAtRest(trap: Trap, model: string): Promise<TrapReport> {
  return inPlace(trap, model, async (vault, place, tally) => {
    trap.plant(place);
    for (const call of [...READS, ...WRITES, ...READS.filter(({ name }) => ANY_TIME.has(name))])
      await tally.make(call, vault, place);
  });
}

/** Plants a trap during an agent call: it must be found and put back, and then every call must be right. */
export async function runSealed(trap: Trap, model: string): Promise<TrapReport> {
  return inPlace(trap, model, async (vault, place, tally) => {
    await vault.seal(PROJECT);
    trap.plant(place);
    const found = await vault.checkSeal(PROJECT);
    if (found.length === 0 && !trap.harmless) tally.faults.push('it was not found');
    tally.mustBeRight = true;
    for (const call of READS) await tally.make(call, vault, place);
    const { problems } = await vault.verify(PROJECT);
    if (problems.length > 0) tally.faults.push(`afterwards: ${problems.join('; ').slice(0, 300)}`);
  });
}

/** Plants a trap in a project at rest, and asks everything of it over HTTP. */
export async function runOverHttp(trap: Trap, model: string): Promise<TrapReport> {
  return inPlace(trap, model, async (vault, place, tally) => {
    const { calls, close } = await routeCalls(vault, place);
    try {
      trap.plant(place);
      for (const call of calls) await tally.make(call, vault, place);
    } finally {
      await close();
    }
  });
}

class Tally {
  readonly #limit: number;
  right = 0;
  mustBeRight = false;
  readonly named: Record<string, number> = {};
  readonly faults: string[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async make({ name, run }: Call, vault: GitVault, place: HostilePlace): Promise<void> {
    const end = await Promise.race([
      run(vault, place).then(
        () => undefined,
        (error: unknown) => error,
      ),
      delay(this.#limit, LATE, { ref: false }),
    ]);
    if (end === undefined) this.right++;
    else if (end === LATE) this.faults.push(`${name}: not within ${this.#limit} ms`);
    else if (end instanceof DevLoopError && end.code !== 'internal' && !this.mustBeRight)
      this.named[end.code] = (this.named[end.code] ?? 0) + 1;
    else this.faults.push(`${name}: ${inWords(end)}`);
  }
}

function inWords(error: unknown): string {
  const words =
    error instanceof Error ? `${error.name} ${'code' in error ? error.code : ''} ${error.message}` : String(error);
  return words.replaceAll(/\s+/g, ' ').slice(0, 300);
}

const LATE = Symbol('late');

async function inPlace(
  trap: Trap,
  model: string,
  work: (vault: GitVault, place: HostilePlace, tally: Tally) => Promise<void>,
): Promise<TrapReport> {
  const start = performance.now();
  using place = makePlace(model);
  const vault = openVaultAt(place.dataDir);
  const tally = new Tally(trap.large ? LARGE_LIMIT_MS : LIMIT_MS);
  try {
    await work(vault, place, tally);
  } catch (error) {
    tally.faults.push(`the run broke off: ${error instanceof Error ? error.stack : String(error)}`.slice(0, 600));
  } finally {
    await vault.close();
    trap.lift?.();
  }
  if (place.marks().length > 0) tally.faults.push(`it ran: ${place.marks().join(' | ').slice(0, 300)}`);
  if (!place.isVictimWhole()) tally.faults.push('something was written outside of the project');
  if (await staysRunning(place)) tally.faults.push('a git process was left');
  return {
    trap: trap.name,
    right: tally.right,
    named: tally.named,
    faults: tally.faults,
    ms: Math.round(performance.now() - start),
  };
}

async function staysRunning({ state }: HostilePlace): Promise<boolean> {
  const script = 'for p in /proc/[0-9]*; do case "$(readlink $p/cwd)" in "$1"*) exit 1;; esac; done; true';
  for (let tries = 0; tries < 60; tries++) {
    try {
      execFileSync('sh', ['-c', script, 'sh', state], { env: { PATH: '/usr/bin:/bin' } });
      return false;
    } catch {
      await delay(50);
    }
  }
  return true;
}
