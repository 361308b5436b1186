/** `main.ts WHO CUTS SEED` cuts the power and prints the report as JSON; run in a mount namespace of its own. */
import { inMemoryFolder } from '../../support/temp-folder.ts';
import { cutPower } from './cut-power.ts';
import type { Who } from './session.ts';

const [who = '', cuts = '', seed = ''] = process.argv.slice(2);
const report = await inMemoryFolder((home) =>
  cutPower(home, { who: who as Who, cuts: Number(cuts), seed: Number(seed) }),
);
process.stdout.write(`${JSON.stringify(report)}\n`);
