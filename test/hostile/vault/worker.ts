import { rmSync } from 'node:fs';
import { TRAPS } from './all-traps.ts';
import { makeModel } from './hostile-place.ts';
import type { Ran } from './run-all.ts';
import { runAtRest, runOverHttp, runSealed } from './run-trap.ts';

// Runs traps, given by their numbers, and prints a report a line: the parent ends a process that a trap holds up for good.
const { folder } = await makeModel();
try {
  for (const number of process.argv.slice(2)) {
    const trap = TRAPS[Number(number)];
    if (trap === undefined) throw new Error(`there is no trap ${number}`);
    const reports = [{ scene: 'at rest', report: await runAtRest(trap, folder) }];
    reports.push({ scene: 'over HTTP', report: await runOverHttp(trap, folder) });
    if (trap.where === 'git') reports.push({ scene: 'sealed', report: await runSealed(trap, folder) });
    process.stdout.write(`${JSON.stringify({ number: Number(number), reports } satisfies Ran)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
