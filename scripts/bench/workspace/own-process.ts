/** A first point and what comes after it, in a process of its own that begins as a server's does; prints what that took. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { prepareProcess } from '../../../server/cli/prepare-process.ts';

// As the server's own process begins.
prepareProcess();
const { OpenBench } = await import('./open-bench.ts');

const { file, ...place } = JSON.parse(process.argv[2] ?? '') as {
  readonly root: string;
  readonly stateDir: string;
  readonly home: string;
  readonly file: string;
};
const delay = monitorEventLoopDelay({ resolution: 5 });
const open = new OpenBench(place, { watch: true });
delay.enable();
await open.point();
delay.disable();
const before = await open.lastPoint();
await open.scan();
appendFileSync(join(place.root, file), 'changed\n');
await open.point();
await open.plan(before);
await open.planAndRestore(before);
await open.close();
const peak_kb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
process.stdout.write(JSON.stringify({ peak_mb: peak_kb / 1024, delay_ms: delay.percentile(99) / 1e6 }));
