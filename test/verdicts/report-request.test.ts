import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestReport } from '../../server/verdicts/report-request.ts';

const ask = (command: readonly string[], scripts: Readonly<Record<string, string>> = {}) =>
  requestReport(command, { folder: '/r', scripts });
const argv = (command: readonly string[], scripts?: Readonly<Record<string, string>>): readonly string[] =>
  ask(command, scripts).argv;

const NODE = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  '--test-reporter-destination=/r/node.tap',
];
const VITEST = ['--reporter=default', '--reporter=junit', '--outputFile.junit=/r/vitest.xml'];
const JEST = ['--json', '--outputFile=/r/jest.json'];

test('a runner that is named outright is asked for a report', () => {
  assert.deepEqual(argv(['node', '--test', 'tests/']), ['node', ...NODE, '--test', 'tests/']);
  assert.deepEqual(argv(['/usr/bin/node', '--test']), ['/usr/bin/node', ...NODE, '--test']);
  assert.deepEqual(argv(['vitest', 'run']), ['vitest', 'run', ...VITEST]);
  assert.deepEqual(argv(['npx', 'vitest', 'run']), ['npx', 'vitest', 'run', ...VITEST]);
  assert.deepEqual(argv(['./node_modules/.bin/jest']), ['./node_modules/.bin/jest', ...JEST]);
  assert.deepEqual(argv(['go', 'test', './...']), ['go', 'test', '-json', './...']);
});

test('npm and its like are looked through where the script is one plain command', () => {
  assert.deepEqual(argv(['npm', 'test'], { test: 'vitest run' }), ['npm', 'test', '--', ...VITEST]);
  assert.deepEqual(argv(['npm', 't'], { test: 'jest' }), ['npm', 't', '--', ...JEST]);
  assert.deepEqual(argv(['pnpm', 'run', 'unit'], { unit: 'npx jest' }), ['pnpm', 'run', 'unit', ...JEST]);
  assert.deepEqual(argv(['yarn', 'test'], { test: 'vitest' }), ['yarn', 'test', ...VITEST]);
});

test('what has a reporter of its own or is not plain is started as it is', () => {
  for (const command of [
    ['node', '--test', '--test-reporter=dot'],
    ['node', 'tests/all.mjs'],
    ['vitest', '--reporter=verbose'],
    ['jest', '--json'],
    ['go', 'test', '-json'],
    ['go', 'vet'],
    ['make', 'test'],
    ['npm', 'test'],
    ['npm', 'test', '--', '--bail'],
  ]) {
    assert.deepEqual(argv(command), command);
  }
  for (const script of ['vitest run && echo ok', 'vitest "a b"', 'build; jest', 'node --test']) {
    assert.deepEqual(argv(['npm', 'test'], { test: script }), ['npm', 'test'], script);
  }
});

test('pytest and whoever reads the variable are told where reports are looked for', () => {
  const { env, reports } = ask(['make', 'test']);
  assert.deepEqual(env, {
    DEVLOOP_JUNIT_FILE: '/r/junit.xml',
    PYTEST_ADDOPTS: "--junitxml='/r/pytest.xml' -o junit_family=xunit1",
  });
  assert.deepEqual(
    reports.map((report) => [report.path, report.runner]),
    [
      ['/r/pytest.xml', 'pytest'],
      ['/r/junit.xml', 'junit'],
    ],
  );
  assert.deepEqual(ask(['vitest']).reports[0]?.path, '/r/vitest.xml');
});
