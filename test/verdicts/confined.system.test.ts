import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { integrationSpecSchema } from '../../server/domain/integration-spec.ts';
import { MARKER_VARIABLE } from '../../server/io/end-processes.ts';
import { processHasVariable, processTable } from '../../server/io/process-table.ts';
import { verdictsUnderTest } from '../support/verdicts-under-test.ts';

const HEAD =
  "import test from 'node:test'; import assert from 'node:assert/strict'; import { readFileSync, writeFileSync } from 'node:fs';\n";
const unit = (body: string) => ({
  'units/todo/code/.keep': '',
  'units/todo/coder.log': 'log',
  'units/todo/tests/a.test.mjs': HEAD + body,
  'project.json': '{}',
  '.git/HEAD': 'ref: refs/heads/main',
});

test('a suite runs in the sandbox as outside of it, with a server of its own on the loopback', async (t) => {
  const body = `import { createServer } from 'node:http';
    test('serves', async () => { const server = createServer((q, r) => r.end('hi')).listen(0, '127.0.0.1'); await new Promise((up) => server.on('listening', up));
      const answer = await fetch('http://127.0.0.1:' + server.address().port); server.close(); assert.equal(await answer.text(), 'hi'); });
    test('fails', () => assert.equal(import.meta.filename, 'x'));`;
  const reports = [];
  for (const mode of ['off', 'required'] as const) {
    const { runUnit, layers } = await verdictsUnderTest(t, unit(body), mode);
    assert.equal(layers.includes('bubblewrap'), mode === 'required');
    const { outcome, runner, exit_code, tests } = await runUnit(['node', '--test'], { promised: ['serves'] });
    reports.push({
      outcome,
      runner,
      exit_code,
      tests: tests.map(({ id, status, message }) => ({ id, status, message })),
    });
  }
  assert.deepEqual(reports[0], reports[1]);
  assert.deepEqual([reports[0]?.outcome, reports[0]?.tests[0]?.status], ['red', 'passed']);
  assert.match(
    reports[0]?.tests[1]?.message ?? '',
    /^Expected values to be strictly equal:\n\+ actual - expected\n\n\+ 'tests\/a\.test\.mjs'\n- 'x'/,
  );
});

test('tests may write in their unit and their temporary folders, and see neither .git nor the files of the server', async (t) => {
  const body = `
    test('writes', () => { writeFileSync('tests/cache', 'x'); writeFileSync(process.env.TMPDIR + '/x', 'x'); writeFileSync(process.env.HOME + '/x', 'x'); });
    for (const path of ['coder.log', '../../project.json', '../other']) test('not ' + path, () => assert.throws(() => writeFileSync(path, 'x'), { code: 'EROFS' }));
    test('no git', () => assert.throws(() => readFileSync('../../.git/HEAD'), { code: 'ENOENT' }));`;
  const { runUnit, root } = await verdictsUnderTest(t, unit(body), 'required');
  const report = await runUnit(['node', '--test']);
  assert.deepEqual(
    report.tests.filter((one) => one.status !== 'passed'),
    [],
  );
  assert.deepEqual([report.outcome, readFileSync(join(root, 'units/todo/coder.log'), 'utf8')], ['green', 'log']);
});

test('a command that hangs, dies or is not there has the same outcome in the sandbox', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, unit(''), 'required');
  const outcomes = [
    await runUnit(['sh', '-c', 'trap : TERM; sleep 60; sleep 60'], { wall_ms: 300 }),
    await runUnit(['sh', '-c', 'kill -9 $$']),
    await runUnit(['no-such-runner']),
    await runUnit(['sh', '-c', 'yes'], { output_bytes: 10_000 }),
    await runUnit(['true']),
  ].map((report) => report.outcome);
  assert.deepEqual(outcomes, ['timeout', 'crashed', 'crashed', 'crashed', 'no_tests']);
});

test('an abort in the sandbox leaves no process', async (t) => {
  const { runUnit, root, data } = await verdictsUnderTest(t, unit(''), 'required');
  const controller = new AbortController();
  const reason = new Error('cancelled');
  const running = runUnit(['sh', '-c', 'setsid sleep 61 & touch up; sleep 61'], { signal: controller.signal });
  while (!existsSync(join(root, 'units/todo/up'))) await new Promise((resolve) => setImmediate(resolve));
  const record = readFileSync(join(data, '.devloop/vaults/default/p-12345678/processes.json'), 'utf8');
  const variable = `${MARKER_VARIABLE}=${JSON.parse(record).processes[0].marker}`;
  const marked = () => processTable().filter(({ pid }) => processHasVariable(pid, variable)).length;
  assert.ok(marked() >= 3);
  controller.abort(reason);
  await assert.rejects(running, reason);
  assert.equal(marked(), 0);
});

test('confined services answer the server, reach each other, and cannot write their code', async (t) => {
  const code = `
    const { createServer } = require('node:http'); const { writeFileSync } = require('node:fs');
    createServer(async (request, response) => {
      let wrote; try { writeFileSync('db.json', 'x'); wrote = true; } catch (error) { wrote = error.code; }
      writeFileSync(process.env.TMPDIR + '/db.json', 'x');
      const peer = request.url === '/peer' ? await (await fetch(process.env.B_URL + '/')).json() : undefined;
      response.setHeader('content-type', 'application/json'); response.end(JSON.stringify({ wrote, peer }));
    }).listen(process.env.PORT, '127.0.0.1');`;
  const { verdicts, root } = await verdictsUnderTest(
    t,
    { 'units/a/code/s.cjs': code, 'units/b/code/s.cjs': code },
    'required',
  );
  const service = (id: string) => ({ id, unit: id, start_command: ['node', 's.cjs'], ready: { path: '/' } });
  const steps = [
    { service: 'a', method: 'GET', path: '/peer', expect: { json: { wrote: 'EROFS', 'peer.wrote': 'EROFS' } } },
  ];
  const command = ['node', '-e', 'fetch(process.env.A_URL).then((answer) => process.exit(answer.ok ? 0 : 1))'];
  const cases = [
    { id: 'peer', title: 'peer', steps },
    { id: 'command', title: 'command', command },
  ];
  const [process_log, trace_file] = [
    join(root, 'integration/runs/r/process.log'),
    join(root, 'integration/runs/r/trace.gz'),
  ];
  const report = await verdicts.runIntegration({
    root,
    spec: integrationSpecSchema.parse({ services: [service('a'), service('b')], cases }),
    limits: { wall_ms: 30_000, output_bytes: 100_000 },
    signal: new AbortController().signal,
    process_log,
    trace_file,
  });
  assert.deepEqual(
    report.cases.map((one) => one.failure),
    [undefined, undefined],
  );
  assert.match(gunzipSync(readFileSync(trace_file)).toString(), /"case":"peer","step":1/);
});

test('a link where a bound is to be makes a crashed run and an environment problem, and starts nothing', async (t) => {
  const { runUnit, verdicts, root } = await verdictsUnderTest(t, unit(''), 'required');
  symlinkSync('/etc', join(root, 'agent-state'));
  const report = await runUnit(['touch', 'started'], { promised: ['a'] });
  assert.deepEqual(
    [report.outcome, report.output_tail, existsSync(join(root, 'units/todo/started'))],
    ['crashed', 'agent-state is a link; it cannot bound a program', false],
  );
  const service = { id: 'todo', unit: 'todo', start_command: ['true'], ready: { path: '/' } };
  const integration = await verdicts.runIntegration({
    root,
    spec: integrationSpecSchema.parse({ services: [service], cases: [{ id: 'a', title: 'a', command: ['true'] }] }),
    limits: { wall_ms: 30_000, output_bytes: 100_000 },
    signal: new AbortController().signal,
    process_log: join(root, 'integration/runs/r/process.log'),
    trace_file: join(root, 'integration/runs/r/trace.gz'),
  });
  assert.deepEqual(
    [integration.outcome, integration.environment_error],
    ['environment', 'agent-state is a link; it cannot bound a program'],
  );
});
