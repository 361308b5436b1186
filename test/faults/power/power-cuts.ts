import { join } from 'node:path';
import type { FaultReport } from '../run-faults.ts';
import { run } from './serve-disk.ts';
import type { Who } from './session.ts';

const CUTS = 100;
/** Cuts of what git does by its defaults, which loses it: else the cuts would show nothing. */
const BLIND_CUTS = 10;

/** Cuts the power under the vault and a workspace's restores, and under git by itself to see that the cuts tell one from the other. Needs root: file systems are mounted. */
export async function powerCuts(seed: number): Promise<readonly FaultReport[]> {
  if (process.getuid?.() !== 0) {
    return [
      { scenario: 'power', injected: 1, survived: 0, faults: ['not run: file systems are mounted, which takes root'] },
    ];
  }
  const ours = [await inNamespace('vault', CUTS, seed), await inNamespace('workspace', CUTS, seed)];
  const git = await inNamespace('git', BLIND_CUTS, seed);
  if (git.survived < git.injected) {
    const lost = git.injected - git.survived;
    return [
      ...ours,
      { scenario: `power (git itself: ${lost} of ${git.injected} lost)`, injected: 0, survived: 0, faults: [] },
    ];
  }
  return [...ours, { ...git, survived: 0, faults: ['git by its defaults lost nothing: the cuts are blind'] }];
}

/** What is mounted there goes with the process, however it ends. */
async function inNamespace(who: Who, cuts: number, seed: number): Promise<FaultReport> {
  const argv = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')];
  const printed = await run(['unshare', '-m', process.execPath, ...argv, who, String(cuts), String(seed)]);
  return JSON.parse(printed) as FaultReport;
}
