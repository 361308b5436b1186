/**
 * Makes templates/demo/{name}/recording.ndjson anew from templates/demo/{name}/script/: the real loop runs on a model server on
 * loopback that says what the script says, and is recorded. Prints a line a project; ends with status 1 where one does not ship.
 * `node scripts/make-demo-recordings.ts [NAME…]`
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../server/app.ts';
import { systemClock } from '../server/io/clock.ts';
import { createLogger } from '../server/io/logger.ts';
import { asScripted } from './demo-recordings/as-scripted.ts';
import { readScript, type Script } from './demo-recordings/script.ts';
import { startScriptServer } from './demo-recordings/script-server.ts';

const TEMPLATES = join(import.meta.dirname, '..', 'templates');
const DEMOS = join(TEMPLATES, 'demo');

const given = process.argv.slice(2);
const names =
  given.length > 0
    ? given
    : readdirSync(DEMOS, { withFileTypes: true })
        .filter((one) => one.isDirectory())
        .map(({ name }) => name);
for (const name of names) await make(name);

async function make(name: string): Promise<void> {
  const script = await readScript(join(DEMOS, name, 'script', 'calls.mjs'));
  const folder = mkdtempSync(join(tmpdir(), 'devloop-recording-'));
  try {
    const record = join(folder, 'recording.ndjson');
    const status = await runLoop(script, folder, record);
    if (!status.startsWith('shipped')) throw new Error(`${name}: ${status}`);
    writeFileSync(join(DEMOS, name, 'recording.ndjson'), asScripted(record, script.date));
    process.stdout.write(`${name}: ${status}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runLoop(script: Script, folder: string, record: string): Promise<string> {
  const server = await startScriptServer(script);
  const app = await openApp({
    dataDir: join(folder, 'data'),
    templates: TEMPLATES,
    log: createLogger({ level: 'warn', clock: systemClock, write: (line) => process.stderr.write(line) }),
    sandbox: 'auto',
    path: process.env.PATH ?? '',
    team: { default: { driver: 'model', base_url: server.base_url, model: 'script' } },
    maxFileBytes: 50_000_000,
    secret: () => undefined,
    record,
    onLost: (cause) => {
      throw new Error('another process took the data folder', { cause });
    },
  });
  try {
    await app.booted;
    const { pid } = await app.loop.create({ requirement: script.requirement });
    await app.loop.run(pid);
    const { status, reason, detail, calls } = await app.loop.settled(pid);
    return [status, reason, detail, `${calls.length} calls`].filter((part) => part !== undefined).join(', ');
  } finally {
    await app.close();
    server.close();
  }
}
