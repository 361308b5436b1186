import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestCase } from '../../server/domain/verdicts.ts';
import type { ProcessResult } from '../../server/io/process-request.ts';
import { judge } from '../../server/verdicts/judge.ts';

const result = (over: Partial<ProcessResult> = {}): ProcessResult => ({
  ended: 'exit',
  exit_code: 0,
  signal: null,
  stdout: '',
  stderr: '',
  output_bytes: 0,
  duration_ms: 1,
  survivors: [],
  ...over,
});
const reading = (tests: readonly TestCase[], groups: readonly string[] = [], problem?: string) => ({
  runner: 'tap',
  tests,
  groups,
  ...(problem === undefined ? {} : { problem }),
});
const passed = (id: string): TestCase => ({ id, status: 'passed' });
const failed = (id: string): TestCase => ({ id, status: 'failed' });
const skipped = (id: string): TestCase => ({ id, status: 'skipped' });
const outcome = (...args: Parameters<typeof judge>): string => judge(...args).outcome;

test('the table of outcomes', () => {
  const one = reading([passed('a')]);
  assert.equal(outcome(result(), one, ['a']), 'green');
  assert.equal(outcome(result(), one, ['b']), 'red');
  assert.equal(outcome(result({ exit_code: 1 }), one, []), 'red');
  assert.equal(outcome(result(), reading([passed('a'), failed('b')]), []), 'red');
  assert.equal(outcome(result(), reading([passed('a')], [], 'bailed out'), []), 'red');
  assert.equal(outcome(result(), reading([skipped('a')]), []), 'no_tests');
  assert.equal(outcome(result(), undefined, []), 'no_tests');
  assert.equal(outcome(result({ exit_code: 5 }), undefined, []), 'no_tests');
  assert.equal(outcome(result({ exit_code: 1 }), undefined, []), 'crashed');
  assert.equal(outcome(result({ exit_code: null, signal: 'SIGSEGV' }), one, []), 'crashed');
  assert.equal(outcome(result({ exit_code: 139 }), one, []), 'crashed');
  assert.equal(outcome(result({ ended: 'output' }), one, []), 'crashed');
  assert.equal(outcome(result({ ended: 'spawn_failed', exit_code: null }), undefined, []), 'crashed');
  assert.equal(outcome(result({ ended: 'wall', exit_code: 0 }), one, []), 'timeout');
  assert.equal(outcome(result({ ended: 'idle', exit_code: null }), one, []), 'timeout');
});

test('a promise is kept by the test itself, without its outer names, with its file, or by a group that ran', () => {
  const tests = [passed('todo > add > keeps order'), failed('todo > add > refuses empty'), skipped('todo > later > x')];
  const read = reading(tests, ['todo > add', 'todo > later', 'todo']);
  const kept = [
    'todo > add > keeps order',
    'refuses empty',
    'add > keeps order',
    'test_add.py::todo::add::keeps order',
    'todo > add',
    'todo',
  ];
  const broken = ['keeps', 'todo > keeps order', 'todo > later', 'todo > later > x', 'order', ''];
  assert.deepEqual(judge(result(), read, [...kept, ...broken]).missing_tests, broken);
});
