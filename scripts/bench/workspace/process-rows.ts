import { spawnSync } from 'node:child_process';
import { limitRow, type Row } from '../rows.ts';
import type { BenchWorkspace } from './bench-workspace.ts';
import type { WorkspaceSize } from './generate-workspace.ts';

const MOST_MB = 300;
const MOST_DELAY_MS = 50;

/** What a process of its own needs for a first point and the work after it. */
export async function processRows(bench: BenchWorkspace, { name }: WorkspaceSize): Promise<readonly Row[]> {
  const { root, stateDir, home } = bench;
  bench.dropPoints();
  const script = new URL('own-process.ts', import.meta.url).pathname;
  const place = JSON.stringify({ root, stateDir, home, file: bench.files[0] });
  const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, place], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`the process of its own failed: ${run.stderr}`);
  const { peak_mb, delay_ms } = JSON.parse(run.stdout) as { readonly peak_mb: number; readonly delay_ms: number };
  return [
    limitRow(`${name} memory of the process at its most, MB`, { ours: peak_mb, limit: MOST_MB }),
    limitRow(`${name} delay of the event loop in a first point, p99, ms`, { ours: delay_ms, limit: MOST_DELAY_MS }),
  ];
}
