import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MARKER_VARIABLE } from '../../server/io/end-processes.ts';
import { processHasVariable, processTable } from '../../server/io/process-table.ts';
import { endOrphans } from '../../server/sandbox/index.ts';
import { verdictsUnderTest } from '../support/verdicts-under-test.ts';

const SERVER = `
  const [index, sandboxIndex, options] = process.argv.slice(1);
  const { createVerdicts } = await import(index);
  const { createSandbox, processRecords } = await import(sandboxIndex);
  const { root, data, tmp, shim, path, spec } = JSON.parse(options);
  const sandbox = await createSandbox({ mode: 'off', path, hidden: [], readable: [], shim });
  const verdicts = createVerdicts({ sandbox, tmp, processes: processRecords(data + '/.devloop').forProject });
  const common = { root, limits: { wall_ms: 60000, output_bytes: 1000 }, signal: new AbortController().signal };
  verdicts.runUnit({ ...common, unit: 'todo', command: ['sh', '-c', 'setsid sleep 60 & echo $! > up; sleep 60'], promised: [] });
  verdicts.runIntegration({ ...common, spec, process_log: root + '/log', trace_file: root + '/trace' });`;

test('what a killed server had running is ended at the next boot: tests, services and what they left', async (t) => {
  const { root, data, tmp } = await verdictsUnderTest(t, { 'units/todo/code/.keep': '' });
  const service = {
    id: 'todo',
    unit: 'todo',
    start_command: ['sh', '-c', 'echo $$ > up; sleep 60 & sleep 60'],
    ready: { path: '/', status: 200, timeout_ms: 60_000 },
  };
  const options = {
    root,
    data,
    tmp,
    shim: join(data, 'shim'),
    path: process.env.PATH,
    spec: { services: [service], cases: [] },
  };
  const sources = ['verdicts', 'sandbox'].map((folder) => join(import.meta.dirname, `../../server/${folder}/index.ts`));
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', SERVER];
  const server = spawn(process.execPath, [...flags, ...sources, JSON.stringify(options)], { stdio: 'inherit' });
  t.after(() => server.kill('SIGKILL'));
  const up = (): boolean => ['units/todo/up', 'units/todo/code/up'].every((path) => existsSync(join(root, path)));
  while (!up() && server.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
  const notes: { marker: string }[] = JSON.parse(
    readFileSync(join(data, '.devloop/vaults/default/p-12345678/processes.json'), 'utf8'),
  ).processes;
  const variables = [...new Set(notes.map(({ marker }) => `${MARKER_VARIABLE}=${marker}`))];
  const running = () =>
    processTable().filter(({ pid }) => variables.some((one) => processHasVariable(pid, one))).length;
  const exit = once(server, 'exit');
  server.kill('SIGKILL');
  await exit;
  assert.ok(running() >= 5);
  const ended = await endOrphans(join(data, '.devloop'));
  assert.deepEqual(ended.map(({ call, survivors }) => [call, survivors]).sort(), [
    ['integration', []],
    ['unit-todo', []],
  ]);
  assert.equal(running(), 0);
});
