import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCargoTest } from '../../../server/verdicts/readers/cargo-test.ts';
import { readGoTest } from '../../../server/verdicts/readers/go-test.ts';
import { readJest } from '../../../server/verdicts/readers/jest.ts';
import { readJunit } from '../../../server/verdicts/readers/junit.ts';
import { readOutput } from '../../../server/verdicts/readers/read-output.ts';
import type { Reading } from '../../../server/verdicts/readers/reading.ts';
import { sample } from './sample.ts';

const brief = (reading: Reading | undefined) => reading?.tests.map(({ id, status, message }) => [id, status, message]);

test('vitest: suites are in the names, files that did not load are failed tests', () => {
  const [broken, noGlobals, missing, ...rest] = brief(readJunit(sample('vitest.xml'))) ?? [];
  assert.deepEqual(broken?.slice(0, 2), ['jt/broken.test.js', 'failed']);
  assert.deepEqual(noGlobals, ['jt/sum.test.js', 'failed', 'test is not defined']);
  assert.equal(missing?.[0], 'tests/broken.test.mjs');
  assert.deepEqual(rest, [
    ['top', 'passed', undefined],
    ['sum > adds', 'passed', undefined],
    ['sum > fails', 'failed', 'expected 2 to be 3 // Object.is equality'],
    ['sum > later', 'skipped', undefined],
    ['sum > todo', 'skipped', undefined],
    ['sum > inner > deep', 'failed', 'expected { a: 1 } to deeply equal { a: 2 }'],
  ]);
});

test('pytest: classes are suites, parameters stay in the name', () => {
  assert.deepEqual(brief(readJunit(sample('pytest.xml'))), [
    ['test_top', 'passed', undefined],
    ['TestSum > test_adds', 'passed', undefined],
    ['TestSum > test_fails', 'failed', 'off\nassert (1 + 1) == 3'],
    ['TestSum > test_later', 'skipped', undefined],
    ['test_par[1]', 'passed', undefined],
    ['test_par[2]', 'failed', 'assert 2 == 1'],
  ]);
});

test('jest: the assertion without its stack, a file that did not load, todo and skipped', () => {
  const tests = brief(readJest(sample('jest.json'))) ?? [];
  assert.deepEqual(
    tests.find(([id]) => id === 'sum > fails'),
    ['sum > fails', 'failed', 'expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2'],
  );
  assert.deepEqual(
    tests.filter(([, status]) => status === 'skipped').map(([id]) => id),
    ['sum > later', 'sum > todo'],
  );
  assert.deepEqual(
    tests.find(([id]) => id?.endsWith('broken.test.js')),
    ['/project/units/todo/jt/broken.test.js', 'failed', "Cannot find module '../nope.js' from 'jt/broken.test.js'"],
  );
});

test('cargo: modules are suites, the panic has its words and no thread id', () => {
  assert.deepEqual(brief(readCargoTest(sample('cargo.txt'))), [
    ['tests > bad', 'failed', 'assertion `left == right` failed: sum is off\n  left: 1\n right: 2'],
    ['tests > later', 'skipped', undefined],
    ['tests > works', 'passed', undefined],
    ['tests > inner > deep', 'failed', 'index out of bounds: the len is 0 but the index is 0'],
  ]);
});

test('go: subtests, a test that only holds others, a package that does not build', () => {
  const events = [
    { Action: 'start', Package: 'todo' },
    { Action: 'run', Package: 'todo', Test: 'TestAdd' },
    { Action: 'pass', Package: 'todo', Test: 'TestAdd', Elapsed: 0.01 },
    { Action: 'run', Package: 'todo', Test: 'TestDone/twice' },
    { Action: 'output', Package: 'todo', Test: 'TestDone/twice', Output: '=== RUN   TestDone/twice\n' },
    { Action: 'output', Package: 'todo', Test: 'TestDone/twice', Output: '    todo_test.go:9: want true\n' },
    { Action: 'output', Package: 'todo', Test: 'TestDone/twice', Output: '    --- FAIL: TestDone/twice (0.00s)\n' },
    { Action: 'fail', Package: 'todo', Test: 'TestDone/twice', Elapsed: 0 },
    { Action: 'fail', Package: 'todo', Test: 'TestDone', Elapsed: 0 },
    { Action: 'skip', Package: 'todo', Test: 'TestLater', Elapsed: 0 },
    { Action: 'fail', Package: 'todo', Elapsed: 0.1 },
    { Action: 'output', Package: 'broken', Output: 'x.go:3:1: syntax error\n' },
    { Action: 'output', Package: 'broken', Output: 'FAIL\tbroken [build failed]\n' },
    { Action: 'fail', Package: 'broken', Elapsed: 0 },
  ];
  const reading = readGoTest(`noise\n${events.map((event) => JSON.stringify(event)).join('\n')}\n{torn`);
  assert.deepEqual(brief(reading), [
    ['todo > TestAdd', 'passed', undefined],
    ['todo > TestDone > twice', 'failed', 'todo_test.go:9: want true'],
    ['todo > TestLater', 'skipped', undefined],
    ['broken', 'failed', 'x.go:3:1: syntax error'],
  ]);
  assert.deepEqual(reading?.groups, ['todo > TestDone', 'todo', 'broken']);
});

test('JUnit XML that is torn, has entities of its own or is something else is no report', () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites><testcase name="&b;"/></testsuites>';
  for (const text of ['<testsuites><testsuite name="a"><testcase name="b"/>', bomb, '<html></html>', 'plain']) {
    assert.equal(readJunit(text), undefined);
  }
});

test('JUnit XML of other writers: class names are suites, nested suites too, an error counts as failed', () => {
  const text = `<testsuite name="s"><testcase classname="com.acme.SumTest" name="adds" time="0.5"/>
    <testcase classname="com.acme.SumTest" name="throws"><error type="E"><![CDATA[bad <thing>]]></error></testcase>
    <testsuite name="inner"><testcase classname="test" name="deep"><failure/></testcase></testsuite></testsuite>`;
  assert.deepEqual(readJunit(text)?.tests, [
    { id: 'com.acme.SumTest > adds', status: 'passed', duration_ms: 500 },
    { id: 'com.acme.SumTest > throws', status: 'failed', message: 'bad <thing>' },
    { id: 's > inner > deep', status: 'failed', message: 'failed' },
  ]);
});

test('what was printed is read by the reader that knows it, colours or not', () => {
  const runner = (text: string): string | undefined => readOutput(text)?.runner;
  assert.equal(runner(sample('node-24.tap')), 'tap');
  assert.equal(runner(sample('node-24.spec').replaceAll('✔', '\x1b[32m✔')), 'node:test');
  assert.equal(runner(sample('cargo.txt')), 'cargo test');
  assert.equal(runner('{"Action":"pass","Package":"a","Test":"b"}'), 'go test');
  assert.equal(runner('all good\n'), undefined);
});
