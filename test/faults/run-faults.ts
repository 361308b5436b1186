import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inMemoryFolder } from '../support/temp-folder.ts';
import { type Injection, inject, injectionPoints } from './inject.ts';
import type { Scenario } from './scenario.ts';

export interface FaultReport {
  readonly scenario: string;
  readonly injected: number;
  readonly survived: number;
  readonly faults: readonly string[];
}

const FAULTS: readonly Injection['fault'][] = ['SIGKILL', 'ENOSPC', 'EIO', 'EACCES'];

interface Sample {
  /** Of all points and kinds of faults; 1 is all. */
  readonly share: number;
  /** So many at least, where there are as many. */
  readonly least: number;
}

/** Injects faults into a scenario: all, or a fixed sample spread evenly over the points and kinds; as many at once as there are processors. */
export function runFaults(scenario: Scenario, wanted: Sample): Promise<FaultReport> {
  return inMemoryFolder(async (home) => {
    const start = join(home, 'start');
    mkdirSync(start);
    await scenario.setup(start);
    const points = await injectionPoints(scenario, start, home);
    const all = points.flatMap((point) => FAULTS.map((fault) => ({ ...point, fault })));
    const queue = sample(all, wanted).values();
    const faults: string[] = [];
    let injected = 0;
    const work = async (_: unknown, lane: number): Promise<void> => {
      for (const injection of queue) {
        const end = await inject(scenario, start, { home, lane }, injection).catch(describe);
        if (end !== undefined) injected++;
        if (typeof end === 'string') faults.push(`${named(scenario, injection)}: ${end}`);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    return { scenario: scenario.name, injected, survived: injected - faults.length, faults };
  });
}

const named = ({ name }: Scenario, { fault, call, when }: Injection): string => `${name}: ${fault} at ${call} ${when}`;

/** Every k-th of the list, the same ones each time; kills get half of the sample. */
function sample<T extends { readonly fault: string }>(all: readonly T[], { share, least }: Sample): readonly T[] {
  if (share >= 1) return all;
  const half = Math.ceil(Math.max(all.length * share, least) / 2);
  const kills = all.filter((one) => one.fault === 'SIGKILL');
  const errors = all.filter((one) => one.fault !== 'SIGKILL');
  const hurt = evenly(kills, half);
  return [...hurt, ...evenly(errors, 2 * half - hurt.length)];
}

function evenly<T>(list: readonly T[], count: number): readonly T[] {
  if (count >= list.length) return list;
  return list.filter((_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length));
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message.split('\n').slice(0, 6).join(' ') : String(error);
