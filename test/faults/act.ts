/** Child of the injector: `act.ts SCENARIO FOLDER` prepares, says ready, waits for a line, acts, and says how it ended. */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { SCENARIOS } from './scenarios/index.ts';

const [name, folder] = process.argv.slice(2);
const scenario = SCENARIOS.find((one) => one.name === name);
if (scenario === undefined || folder === undefined) throw new Error(`no scenario ${name}`);
const act = await scenario.prepare(folder);
// At the exit there is nothing of Node's own left to write, which would be traced and hurt.
flushCompileCache();
writeSync(1, 'ready\n');
await new Promise<void>((resolve) => process.stdin.once('data', () => resolve()));
try {
  await act();
  writeSync(1, 'acknowledged\n');
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  writeSync(1, `refused ${JSON.stringify({ code: code ?? 'none', message })}\n`);
}
process.exit(0);
