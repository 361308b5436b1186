import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '../../../server/verdicts/readers/reading.ts';
import { readSpec } from '../../../server/verdicts/readers/spec.ts';
import { readTap } from '../../../server/verdicts/readers/tap.ts';
import { sample } from './sample.ts';

const FAILED = {
  'fails eq': 'Expected values to be strictly equal:\n\n1 !== 2',
  'fails deep':
    'Expected values to be strictly deep-equal:\n+ actual - expected\n\n  {\n    a: 1,\n    b: [\n      1,\n+     2\n-     3\n    ]\n  }',
  'custom msg': 'the todo should be done',
  throws: 'TypeError: Cannot read x',
  'throws str': 'a string',
  rejects: 'TypeError: fetch failed',
  'suite A > two': 'The expression evaluated to a falsy value:\n\n  assert.ok(false)',
  'hook > never': 'test did not finish before its parent and was cancelled',
  hook: 'hook bad',
  'parent > child bad': "The input did not match the regular expression /x/. Input:\n\n'abc'",
  timeout: 'test timed out after 20ms',
  'tests/b.test.js': "SyntaxError: Unexpected token ';'",
  'tests/d.test.mjs':
    "Cannot find module '/project/units/todo/code/missing.js' imported from /project/units/todo/tests/d.test.mjs",
};
const PASSED = ['top passes', 'top # with \\ hash', 'suite A > one', 'suite A > inner > deep', 'parent > child ok'];
const SKIPPED = ['suite A > inner > sk', 'suite A > inner > td', 'suite A > inner > td2'];

/** Node 20 names a file by its whole path. */
const relative = (id: string): string => id.replace('/project/units/todo/', '');

for (const [name, read] of [
  ['node-24.tap', readTap],
  ['node-20.tap', readTap],
  ['node-24.spec', readSpec],
  ['node-20.spec', readSpec],
] as const) {
  const reading = read(sample(name)) as Reading;
  const ids = (status: string): readonly string[] =>
    reading.tests.filter((one) => one.status === status).map((one) => relative(one.id));

  test(`${name}: each failed test has the words of its own assertion`, () => {
    const messages = new Map(reading.tests.map((one) => [relative(one.id), one.message]));
    for (const [id, words] of Object.entries(FAILED)) assert.equal(messages.get(id), words, id);
    assert.deepEqual(new Set(ids('failed')), new Set([...Object.keys(FAILED), 'tests/e.test.mjs']));
    assert.match(messages.get('tests/e.test.mjs') ?? '', /^the test file ended with/);
  });

  test(`${name}: passed and skipped tests are told by their suites and names`, () => {
    assert.deepEqual(ids('passed').slice(0, PASSED.length), PASSED);
    assert.deepEqual(ids('skipped'), SKIPPED);
    assert.deepEqual(reading.groups, ['suite A > inner', 'suite A', 'hook', 'parent']);
  });

  test(`${name}: a file without tests is no test, and what a test prints is none either`, () => {
    assert.ok(!reading.tests.some((one) => /forged|c\.test\.js|^x$/.test(one.id)));
  });

  test(`${name}: durations are kept, stacks are not`, () => {
    assert.ok(reading.tests.filter((one) => one.duration_ms !== undefined).length > 20);
    assert.ok(!reading.tests.some((one) => /^\s+at |test_runner/m.test(one.message ?? '')));
  });
}
