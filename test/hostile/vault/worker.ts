import { rmSync } from 'node:fs';
import { TRAPS } from './all-traps.ts';
import { makeModel } from './hostile-place.ts';
import { runAtRest, runSealed } from './run-trap.ts';

// Runs traps, given by their numbers, and prints a report a line: the parent ends a process that a trap holds up for good.
const { folder } = await makeModel();
try {
  for (const number of process.argv.slice(2)) {
    const trap = TRAPS[Number(number)];
    if (trap === undefined) throw new Error(`there is no trap ${number}`);
    const reports = [
      ['at rest', await runAtRest(trap, folder)],
      ...(trap.where === 'git' ? [['sealed', await runSealed(trap, folder)]] : []),
    ];
    for (const [scene, report] of reports)
      process.stdout.write(`${JSON.stringify({ number: Number(number), scene, report })}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
