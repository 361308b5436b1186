import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { integrationSpecSchema } from '../../server/domain/integration-spec.ts';
import type { IntegrationReport } from '../../server/domain/verdicts.ts';
import { processTable } from '../../server/io/process-table.ts';
import { verdictsUnderTest } from '../support/verdicts-under-test.ts';

const TODO_SERVICE = `
  import { createServer } from 'node:http';
  const todos = [];
  createServer(async (request, response) => {
    let text = ''; for await (const chunk of request) text += chunk;
    const answer = (status, body) => { response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }); response.end(JSON.stringify(body)); };
    console.log(request.method, request.url);
    if (request.url === '/health') return answer(200, { up: true });
    if (request.url === '/die') process.exit(3);
    if (request.url === '/hang') return;
    if (request.url === '/drop') return request.socket.destroy();
    if (request.url === '/text') { response.end('got ' + request.headers['content-type'] + ' ' + text); return; }
    if (request.url === '/peer') return answer(200, await (await fetch(process.env.OTHER_ONE_URL + '/health')).json());
    if (request.method === 'POST') { const todo = { id: 't ' + (todos.length + 1), ...JSON.parse(text) }; todos.push(todo); return answer(201, todo); }
    const todo = todos.find((one) => '/todos/' + encodeURIComponent(one.id) === request.url);
    return todo ? answer(200, todo) : request.url === '/todos' ? answer(200, { items: todos }) : answer(500, { error: 'no ' + request.url + ' at ' + request.headers.host });
  }).listen(process.env.PORT, process.env.HOST);`;

const service = (id: string, start: readonly string[], timeout_ms = 5_000) => ({
  id,
  unit: id,
  start_command: start,
  ready: { path: '/health', timeout_ms },
});
const get = (path: string, expect: object, rest: object = {}) => ({
  service: 'todo',
  method: 'GET',
  path,
  expect,
  ...rest,
});
const todo = service('todo', ['node', 'server.mjs']);
const files = { 'units/todo/code/server.mjs': TODO_SERVICE };

interface Options {
  readonly files?: Readonly<Record<string, string>>;
  readonly wall_ms?: number;
  readonly output_bytes?: number;
  readonly signal?: AbortSignal;
}

async function run(t: TestContext, spec: object, options: Options = {}) {
  const { verdicts, root, tmp } = await verdictsUnderTest(t, options.files ?? files);
  const [process_log, trace_file] = [
    join(root, 'integration/runs/r-1/process.log'),
    join(root, 'integration/runs/r-1/trace.gz'),
  ];
  const { wall_ms = 30_000, output_bytes = 1_000_000, signal = new AbortController().signal } = options;
  const input = { root, spec: integrationSpecSchema.parse(spec), limits: { wall_ms, output_bytes }, signal };
  const report = verdicts.runIntegration({ ...input, process_log, trace_file });
  return {
    report: await report.finally(() => assert.deepEqual(readdirSync(tmp), [])),
    log: readFileSync(process_log, 'utf8'),
    trace: gunzipSync(readFileSync(trace_file))
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

const isAlive = (pid: number): boolean => processTable().some((entry) => entry.pid === pid);

const failures = (report: IntegrationReport): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(report.cases.map((one) => [one.id, one.failure]));

const one = (id: string, ...steps: readonly object[]) => ({ id, title: id, steps });

test('cases whose expectations are all met pass, with captured values in later steps', async (t) => {
  const post = {
    service: 'todo',
    method: 'POST',
    path: '/todos',
    body: { title: 'milk', n: 1 },
    expect: { status: 201 },
  };
  const spec = {
    services: [todo],
    cases: [
      one(
        'add',
        { ...post, capture: { id: 'id', n: 'n' } },
        get('/todos/{{id}}', {
          status: 200,
          json: { id: '{{id}}', n: '{{n}}' },
          headers: { 'Content-Type': 'application/json' },
        }),
        get('/todos', { json: { 'items.0.title': 'milk', 'items.length': 1 }, body_contains: '"{{id}}"' }),
      ),
      one('text', {
        ...post,
        path: '/text',
        method: 'PUT',
        headers: { 'Content-Type': 'text/plain' },
        body: 'as it is',
        expect: { body_contains: 'text/plain as it is' },
      }),
    ],
  };
  const { report, log, trace } = await run(t, spec);
  assert.deepEqual(
    { ...report, duration_ms: 0, cases: report.cases.map((result) => ({ ...result, duration_ms: 0 })) },
    {
      outcome: 'pass',
      passed: 2,
      total: 2,
      duration_ms: 0,
      cases: ['add', 'text'].map((id) => ({ id, title: id, outcome: 'pass', duration_ms: 0, service: 'todo' })),
    },
  );
  assert.match(log, /^todo \| POST \/todos\ntodo \| GET \/todos\/t%201$/m);
  assert.deepEqual(
    trace.map((entry) => [entry.case, entry.step, entry.request.method, entry.answer.status]),
    [
      ['add', 1, 'POST', 201],
      ['add', 2, 'GET', 200],
      ['add', 3, 'GET', 200],
      ['text', 1, 'PUT', 200],
    ],
  );
});

test('a case that fails tells the first thing that was not as expected, in words that stay the same', async (t) => {
  const spec = {
    services: [todo],
    cases: [
      one('status', get('/none', { status: 200 })),
      one('json', get('/health', { json: { up: 'yes' } })),
      one('absent', get('/health', { json: { 'a.b': 1 } })),
      one('header', get('/health', { headers: { 'x-a': '1' } })),
      one('body', get('/text', { body_contains: 'milk' })),
      one('no-json', get('/text', { json: { a: 1 } })),
      one('capture', get('/health', {}, { capture: { id: 'id' } })),
      one('unknown', get('/todos/{{id}}', {})),
      one('nobody', get('/', {}, { service: 'other' })),
      one('drop', get('/drop', {})),
      one('second', get('/health', { status: 200 }), get('/health', { status: 404 })),
    ],
  };
  const { report } = await run(t, spec);
  assert.deepEqual(failures(report), {
    status: 'step 1 (GET /none of todo): expected status 200, got 500: {"error":"no /none at 127.0.0.1:{port}"}',
    json: 'step 1 (GET /health of todo): expected up to be "yes", got true',
    absent: 'step 1 (GET /health of todo): expected a.b to be 1, it is absent',
    header: 'step 1 (GET /health of todo): expected header x-a: 1, there was none',
    body: 'step 1 (GET /text of todo): expected the body to contain "milk", got got undefined',
    'no-json': 'step 1 (GET /text of todo): expected a JSON body, got got undefined',
    capture: 'step 1 (GET /health of todo): there is no id to capture as id',
    unknown: 'step 1 (GET /todos/{{id}} of todo): nothing was captured as "id"',
    nobody: 'step 1 (GET / of other): no service has this name',
    drop: 'step 1 (GET /drop of todo): the connection was closed without an answer',
    second: 'step 2 (GET /health of todo): expected status 404, got 200',
  });
  assert.deepEqual([report.outcome, report.passed, report.total], ['fail', 0, 11]);
});

test('services reach each other by their URLs, and a command case reaches them too', async (t) => {
  const both = { ...files, 'units/other-one/code/server.mjs': TODO_SERVICE };
  const script =
    "fetch(process.env.TODO_URL + '/health').then((r) => r.json()).then((b) => { console.log(b); process.exit(b.up ? 0 : 1) })";
  const spec = {
    services: [todo, service('other-one', ['node', 'server.mjs'])],
    cases: [
      one('peer', get('/peer', { json: { up: true } })),
      { id: 'command', title: 'command', command: ['node', '-e', script] },
      {
        id: 'bad',
        title: 'bad',
        command: ['node', '-e', "console.error('expected 2, got 3 at ' + process.env.TODO_URL); process.exit(4)"],
      },
      { id: 'none', title: 'none', command: ['no-such-program'] },
    ],
  };
  const { report, log } = await run(t, spec, { files: both });
  assert.deepEqual(failures(report), {
    peer: undefined,
    command: undefined,
    bad: 'the command ended with exit status 4: expected 2, got 3 at http://127.0.0.1:{port}',
    none: 'the command could not be started: no-such-program could not be started in .: spawn no-such-program ENOENT',
  });
  assert.match(log, /^command \| \{ up: true \}$/m);
});

test('a service that dies in a case fails it and what comes after, with its exit status', async (t) => {
  const spec = {
    services: [todo],
    cases: [one('die', get('/die', { status: 200 })), one('after', get('/health', { status: 200 }))],
  };
  const { report } = await run(t, spec);
  const said = 'service todo ended with exit status 3: GET /die';
  assert.deepEqual(failures(report), {
    die: `step 1 (GET /die of todo): ${said}`,
    after: `step 1 (GET /health of todo): ${said}`,
  });
});

test('a service that does not come up is an environment problem, with no case run', async (t) => {
  const cases = [one('health', get('/health', { status: 200 }))];
  const listenElsewhere =
    "require('node:http').createServer((q, r) => { r.statusCode = 503; r.end(); }).listen(process.env.PORT, '127.0.0.1')";
  for (const [start, said] of [
    [
      ['node', '-e', 'setInterval(() => {}, 1000)'],
      /^service todo did not answer GET \/health with 200 within 400 ms: connection refused$/,
    ],
    [
      ['node', '-e', listenElsewhere],
      /^service todo did not answer GET \/health with 200 within 400 ms: it answers 503$/,
    ],
    [
      ['node', '-e', "throw new TypeError('no database at ' + process.cwd() + '/db')"],
      /^service todo ended with exit status 1: TypeError: no database at \.?\/?db, before it was ready$/,
    ],
    [
      ['no-such-program'],
      /^service todo could not be started: no-such-program could not be started in \.: .*ENOENT, before it was ready$/,
    ],
    [['yes'], /^service todo printed more than it may, before it was ready$/],
  ] as const) {
    const { report } = await run(t, { services: [service('todo', start, 400)], cases }, { output_bytes: 10_000 });
    assert.deepEqual([report.outcome, report.passed, report.total, report.cases], ['environment', 0, 1, []]);
    assert.match(report.environment_error ?? '', said);
  }
});

test('a run that takes too long fails the case it is in and those that it does not come to', async (t) => {
  const spec = {
    services: [todo],
    cases: [
      one('fine', get('/health', { status: 200 })),
      one('hang', get('/hang', { status: 200 })),
      one('later', get('/health', { status: 200 })),
    ],
  };
  const { report } = await run(t, spec, { wall_ms: 5_000 });
  assert.deepEqual(failures(report), {
    fine: undefined,
    hang: 'step 1 (GET /hang of todo): no answer in time',
    later: "not run: the run's 5000 ms were over",
  });
});

test('an abort ends all services, keeps the log, and rejects with the reason', async (t) => {
  const reason = new Error('cancelled');
  const controller = new AbortController();
  const { verdicts, root, tmp } = await verdictsUnderTest(t, files);
  const process_log = join(root, 'integration/runs/r-1/process.log');
  const spec = {
    services: [service('todo', ['sh', '-c', 'echo $$ > "$TMPDIR/up"; exec sleep 60'])],
    cases: [one('a', get('/', {}))],
  };
  const running = verdicts.runIntegration({
    root,
    spec: integrationSpecSchema.parse(spec),
    limits: { wall_ms: 30_000, output_bytes: 1_000 },
    signal: controller.signal,
    process_log,
    trace_file: join(root, 'integration/runs/r-1/trace.gz'),
  });
  const pids = (): readonly string[] =>
    readdirSync(tmp)
      .map((name) => join(tmp, name, 'tmp/up'))
      .filter(existsSync)
      .map((path) => readFileSync(path, 'utf8').trim())
      .filter(Boolean);
  while (pids().length === 0) await new Promise((resolve) => setImmediate(resolve));
  const [pid] = pids();
  controller.abort(reason);
  await assert.rejects(running, reason);
  assert.deepEqual([readdirSync(tmp), existsSync(process_log), isAlive(Number(pid))], [[], true, false]);
});

test('what a service leaves behind in a session of its own is ended with the run', async (t) => {
  const spec = {
    services: [service('todo', ['sh', '-c', 'setsid sh -c "echo pid=\\$\\$; exec sleep 60" & exec node server.mjs'])],
    cases: [one('health', get('/health', { status: 200 }))],
  };
  const { report, log } = await run(t, spec);
  const pid = /pid=(\d+)/.exec(log)?.[1];
  assert.deepEqual([report.outcome, isAlive(Number(pid))], ['pass', false]);
});

test('a link where the logs are to be keeps the run from being made, and nothing is written behind it', async (t) => {
  const { verdicts, root, data, tmp } = await verdictsUnderTest(t, files);
  mkdirSync(join(data, 'elsewhere'));
  symlinkSync(join(data, 'elsewhere'), join(root, 'integration'));
  const report = await verdicts.runIntegration({
    root,
    spec: integrationSpecSchema.parse({ services: [todo], cases: [one('a', get('/health', {}))] }),
    limits: { wall_ms: 30_000, output_bytes: 1_000 },
    signal: new AbortController().signal,
    process_log: join(root, 'integration/runs/r-1/process.log'),
    trace_file: join(root, 'integration/runs/r-1/trace.gz'),
  });
  assert.deepEqual(
    [report.outcome, report.environment_error],
    ['environment', 'integration/runs/r-1/process.log leads through a link, or is no file'],
  );
  assert.deepEqual([readdirSync(join(data, 'elsewhere')), readdirSync(tmp)], [[], []]);
});
