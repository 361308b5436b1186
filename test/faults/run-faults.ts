import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Injection, inject, injectionPoints } from './inject.ts';
import type { Scenario } from './scenario.ts';

export interface FaultReport {
  readonly scenario: string;
  readonly injected: number;
  readonly survived: number;
  readonly faults: readonly string[];
}

const FAULTS: readonly Injection['fault'][] = ['SIGKILL', 'ENOSPC', 'EIO', 'EACCES'];

/** Injects faults into a scenario: all, or a fixed sample of `share` spread evenly over the points and kinds. */
export async function runFaults(scenario: Scenario, share: number): Promise<FaultReport> {
  const folder = mkdtempSync(join(tmpdir(), `devloop-fault-${scenario.name}-`));
  const start = join(folder, 'start');
  try {
    mkdirSync(start);
    await scenario.setup(start);
    const points = await injectionPoints(scenario, start, folder);
    const all = points.flatMap((point, i) =>
      FAULTS.map((fault, k) => ({ ...point, fault, order: k * points.length + i })),
    );
    const chosen = sample(all, share);
    const faults: string[] = [];
    let injected = 0;
    for (const { call, when, fault } of chosen) {
      const end = await inject(scenario, start, folder, { call, when, fault }).catch((error: unknown) =>
        describe(error),
      );
      if (end !== undefined) injected++;
      if (typeof end === 'string') faults.push(`${scenario.name}: ${fault} at ${call} ${when}: ${end}`);
    }
    return { scenario: scenario.name, injected, survived: injected - faults.length, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every k-th of the list, the same ones each time; kills come first in it and get half of the sample. */
function sample<T extends { readonly fault: string }>(all: readonly T[], share: number): readonly T[] {
  if (share >= 1) return all;
  const kills = all.filter((one) => one.fault === 'SIGKILL');
  const errors = all.filter((one) => one.fault !== 'SIGKILL');
  return [
    ...evenly(kills, Math.ceil((all.length * share) / 2)),
    ...evenly(errors, Math.ceil((all.length * share) / 2)),
  ];
}

function evenly<T>(list: readonly T[], count: number): readonly T[] {
  if (count >= list.length) return list;
  return list.filter((_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length));
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message.split('\n').slice(0, 6).join(' ') : String(error);
