import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processTable } from '../../server/io/process-table.ts';
import { verdictsUnderTest } from '../support/verdicts-under-test.ts';

const NODE_TEST = ['node', '--test'];
const head = "import test from 'node:test'; import assert from 'node:assert/strict';\n";
const sum = (body: string) => ({ 'units/todo/code/.keep': '', 'units/todo/tests/sum.test.mjs': head + body });
const sh = (script: string): readonly string[] => ['sh', '-c', script];
const anyProject = { 'units/todo/code/.keep': '' };
const tap = (...lines: readonly string[]): readonly string[] =>
  sh(`printf '%s\\n' 'TAP version 13' ${lines.map((line) => `'${line}'`).join(' ')}`);

test('tests that pass make a green run', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, sum("test('adds', () => assert.equal(1 + 1, 2));"));
  const report = await runUnit(NODE_TEST, { promised: ['adds'] });
  assert.deepEqual(
    { ...report, duration_ms: 0, output_tail: '', tests: report.tests.map(({ id, status }) => ({ id, status })) },
    {
      outcome: 'green',
      runner: 'node:test',
      command: NODE_TEST,
      exit_code: 0,
      signal: null,
      duration_ms: 0,
      passed: 1,
      failed: 0,
      skipped: 0,
      tests: [{ id: 'adds', status: 'passed' }],
      missing_tests: [],
      output_tail: '',
    },
  );
  assert.match(report.output_tail, /✔ adds/);
});

test('a failed assertion makes a red run, and twice the same words', async (t) => {
  const body = `import { mkdtempSync } from 'node:fs'; import { tmpdir } from 'node:os'; import { createServer } from 'node:http';
    test('adds', () => assert.equal(1 + 1, 3, \`\${mkdtempSync(tmpdir() + '/x-')}/y and \${import.meta.filename} by process \${process.pid}\`));
    test('serves', async () => { const server = createServer().listen(0, '127.0.0.1'); await new Promise((done) => server.on('listening', done));
      const url = 'http://127.0.0.1:' + server.address().port; server.close(); throw new TypeError('no answer from ' + url + ' after 12.25 ms'); });`;
  const { runUnit } = await verdictsUnderTest(t, sum(body));
  const [first, second] = [await runUnit(NODE_TEST), await runUnit(NODE_TEST)];
  assert.equal(first.outcome, 'red');
  assert.deepEqual(
    first.tests.map((one) => one.message),
    [
      '{tmp} and tests/sum.test.mjs by process {pid}\n\n2 !== 3',
      'TypeError: no answer from http://127.0.0.1:{port} after {time} ms',
    ],
  );
  assert.deepEqual(
    second.tests.map((one) => one.message),
    first.tests.map((one) => one.message),
  );
});

test('a promised test that is not there, or was skipped, makes a run red', async (t) => {
  const { runUnit } = await verdictsUnderTest(
    t,
    sum("test('adds', () => {}); test('later', { skip: true }, () => {});"),
  );
  const report = await runUnit(NODE_TEST, { promised: ['adds', 'subtracts', 'later'] });
  assert.deepEqual([report.outcome, report.failed, report.missing_tests], ['red', 0, ['subtracts', 'later']]);
});

test('a run without a test that ran is not green', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, sum("test('later', { skip: true }, () => {});"));
  assert.equal((await runUnit(NODE_TEST)).outcome, 'no_tests');
  assert.equal((await runUnit(sh('echo all good'))).outcome, 'no_tests');
  const empty = await verdictsUnderTest(t, {
    ...anyProject,
    'units/todo/tests/sum.test.mjs': "console.log('ok 1 - adds')",
  });
  const report = await empty.runUnit(NODE_TEST);
  assert.deepEqual([report.outcome, report.tests], ['no_tests', []]);
});

test('a test file that does not load is a failed test with the error in its message', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, sum("import '../code/sum.mjs';"));
  const report = await runUnit(NODE_TEST);
  assert.equal(report.outcome, 'red');
  assert.deepEqual(
    report.tests.map((one) => [one.id, one.message]),
    [['tests/sum.test.mjs', "Cannot find module 'code/sum.mjs' imported from tests/sum.test.mjs"]],
  );
});

test('tests that pass do not help where the exit status says otherwise, nor an exit status where a test failed', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, anyProject);
  assert.equal(
    (await runUnit([...tap('ok 1 - a', '1..1').slice(0, 2), 'printf "TAP version 13\\nok 1 - a\\n1..1\\n"; exit 1']))
      .outcome,
    'red',
  );
  const report = await runUnit(tap('not ok 1 - a', '1..1'));
  assert.deepEqual([report.outcome, report.exit_code, report.runner], ['red', 0, 'tap']);
  assert.equal((await runUnit(tap('ok 1 - a', '1..2'))).outcome, 'red');
  assert.equal((await runUnit(tap('ok 1 - a', '1..1'))).outcome, 'green');
});

test('a command that hangs, dies, floods or is not there has an outcome of its own', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, anyProject);
  assert.equal((await runUnit(sh('echo up; exec sleep 60'), { wall_ms: 100 })).outcome, 'timeout');
  const killed = await runUnit(sh('echo up; kill -9 $$'));
  assert.deepEqual([killed.outcome, killed.signal], ['crashed', 'SIGKILL']);
  const flood = await runUnit(['yes'], { output_bytes: 100_000 });
  assert.deepEqual([flood.outcome, flood.output_tail.length], ['crashed', 8_000]);
  assert.equal((await runUnit(sh('echo broken >&2; exit 2'))).outcome, 'crashed');
  const absent = await runUnit(['no-such-runner']);
  assert.equal(absent.outcome, 'crashed');
  assert.match(absent.output_tail, /no-such-runner could not be started/);
});

test('an abort ends the run and all that it started, and rejects with the reason', async (t) => {
  const { runUnit, tmp } = await verdictsUnderTest(t, anyProject);
  const reason = new Error('cancelled');
  const controller = new AbortController();
  const script = 'setsid sleep 60 & echo $! > tests-pid; echo $$ >> tests-pid; touch "$TMPDIR/up"; wait';
  const running = runUnit(sh(script), { signal: controller.signal });
  const isUp = (): boolean => readdirSync(tmp).some((name) => existsSync(join(tmp, name, 'tmp/up')));
  while (!isUp()) await new Promise((resolve) => setImmediate(resolve));
  controller.abort(reason);
  await assert.rejects(running, reason);
  assert.deepEqual(readdirSync(tmp), []);
  await assert.rejects(runUnit(sh('true'), { signal: controller.signal }), reason);
});

test('the raw output is kept in the file, never through a link', async (t) => {
  const { runUnit, root, data } = await verdictsUnderTest(t, anyProject);
  const stdout_file = join(root, 'units/todo/runs/r-1/stdout.txt');
  await runUnit(sh('echo out; echo err >&2'), { stdout_file });
  assert.deepEqual(readFileSync(stdout_file, 'utf8').split('\n').sort(), ['', 'err', 'out']);
  mkdirSync(join(data, 'elsewhere'));
  symlinkSync(join(data, 'elsewhere'), join(root, 'units/todo/runs/r-2'));
  const report = await runUnit(sh('echo out'), {
    stdout_file: join(root, 'units/todo/runs/r-2/stdout.txt'),
    promised: ['a'],
  });
  assert.deepEqual(
    [report.outcome, report.missing_tests, report.output_tail],
    ['crashed', ['a'], 'units/todo/runs/r-2/stdout.txt leads through a link, or is no file'],
  );
  assert.deepEqual(readdirSync(join(data, 'elsewhere')), []);
});

test('the environment is an allow list with a home and a git of its own', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, anyProject);
  const report = await runUnit(
    sh('env | cut -d= -f1 | sort | tr "\\n" " "; echo; node -p process.version; git status'),
  );
  const [names, version, refusal] = report.output_tail.split('\n');
  const own =
    'CI DEVLOOP_JUNIT_FILE DEVLOOP_MARKER HOME LANG NO_COLOR PATH PWD PYTEST_ADDOPTS TMPDIR npm_config_update_notifier';
  assert.deepEqual(
    names?.split(' ').filter((name) => !['_', 'SHLVL', 'OLDPWD', ''].includes(name)),
    own.split(' '),
  );
  assert.equal(version, process.version);
  assert.match(refusal ?? '', /git is not available here/);
});

test('a suite that runs inside of a test run reports as on its own', async (t) => {
  const { runUnit } = await verdictsUnderTest(
    t,
    sum("test('a', () => assert.equal(process.env.NODE_TEST_CONTEXT, 'child-v8'));"),
  );
  assert.ok(process.env.NODE_TEST_CONTEXT);
  assert.equal((await runUnit(NODE_TEST)).outcome, 'green');
});

test('a command with a reporter of its own, or node behind a script, is read from what it prints', async (t) => {
  const { runUnit, write } = await verdictsUnderTest(t, sum("test('adds', () => assert.equal(1, 2));"));
  write('units/todo/package.json', '{"scripts":{"test":"node --test"}}');
  for (const command of [
    ['node', '--test', '--test-reporter=tap'],
    ['node', '--test', '--test-reporter=spec'],
    ['npm', 'test', '--silent'],
  ]) {
    const report = await runUnit(command);
    assert.deepEqual([report.outcome, report.tests[0]?.id], ['red', 'adds'], command.join(' '));
  }
});

test('any runner may write JUnit XML where it is told', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, anyProject);
  const xml = '<testsuite name="s"><testcase classname="C" name="adds"/></testsuite>';
  const report = await runUnit(sh(`echo '${xml}' > "$DEVLOOP_JUNIT_FILE"`));
  assert.deepEqual([report.outcome, report.runner, report.tests[0]?.id], ['green', 'junit', 'C > adds']);
});

test('a report that is a pipe or a link is none', async (t) => {
  const { runUnit } = await verdictsUnderTest(t, anyProject);
  assert.equal((await runUnit(sh('mkfifo "$DEVLOOP_JUNIT_FILE"'))).outcome, 'no_tests');
  assert.equal((await runUnit(sh('ln -s /etc/passwd "$DEVLOOP_JUNIT_FILE"'))).outcome, 'no_tests');
});

test('nothing that a run starts is noted once it has ended, and nothing of it is left', async (t) => {
  const { runUnit, data, tmp } = await verdictsUnderTest(t, anyProject);
  await runUnit(sh('setsid sleep 61 & cp "$0" . 2>/dev/null; true'));
  const noted = readFileSync(join(data, '.devloop/vaults/default/p-12345678/processes.json'), 'utf8');
  assert.deepEqual([JSON.parse(noted), readdirSync(tmp)], [{ schema: 1, processes: [] }, []]);
  assert.ok(processTable().every(({ pid }) => !readCommand(pid).includes('sleep\0' + '61')));
});

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
