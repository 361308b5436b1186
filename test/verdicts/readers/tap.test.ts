import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTap } from '../../../server/verdicts/readers/tap.ts';
import { readDiagnostic } from '../../../server/verdicts/readers/tap-diagnostic.ts';

const tap = (...lines: readonly string[]): string => ['TAP version 13', ...lines].join('\n');

test('text that is not TAP is left to others', () => {
  for (const text of ['', 'ok', 'all is ok 1', '1..3', 'not ok but text', '{"Action":"pass"}'])
    assert.equal(readTap(text), undefined);
});

test('a plan and results are TAP also without a version line', () => {
  assert.deepEqual(readTap('ok 1 - a\nnot ok 2 b\n1..2')?.tests, [
    { id: 'a', status: 'passed' },
    { id: 'b', status: 'failed', message: 'failed' },
  ]);
});

test('lines end with a carriage return on other systems', () => {
  assert.deepEqual(readTap('TAP version 14\r\nok 1 - a\r\n1..1\r\n')?.tests, [{ id: 'a', status: 'passed' }]);
});

test('what other producers say of expected and actual values becomes the message', () => {
  const text = tap(
    'not ok 1 should be equal',
    '  ---',
    '    operator: equal',
    '    expected: 2',
    '    actual:   1',
    '  ...',
    '1..1',
  );
  assert.equal(readTap(text)?.tests[0]?.message, 'expected 2, got 1');
});

test('skipped and todo tests do not count as failed', () => {
  const reading = readTap(tap('not ok 1 - a # TODO later', 'ok 2 - b # skip no network', 'ok 3 - c # SKIPPED', '1..3'));
  assert.deepEqual(
    reading?.tests.map((one) => [one.id, one.status]),
    [
      ['a', 'skipped'],
      ['b', 'skipped'],
      ['c', 'skipped'],
    ],
  );
});

test('a number sign in a name is no directive', () => {
  const [one, two] = readTap(tap('ok 1 - issue \\#12 todo', 'ok 2 - c\\\\d', '1..2'))?.tests ?? [];
  assert.deepEqual([one?.id, one?.status, two?.id], ['issue #12 todo', 'passed', 'c\\d']);
});

test('a test without a name gets its number', () => {
  assert.equal(readTap(tap('ok 1', 'ok 2', '1..2'))?.tests[1]?.id, 'test 2');
});

test('a bail-out and a plan that was not met are problems', () => {
  assert.equal(readTap(tap('ok 1 - a', 'Bail out! no database'))?.problem, 'no database');
  assert.equal(readTap(tap('1..3', 'ok 1 - a'))?.problem, '3 tests were planned, 1 ran');
  assert.equal(readTap(tap('ok 1 - a', '1..1'))?.problem, undefined);
});

test('a run that broke off inside of subtests keeps what they held, and has failed there', () => {
  const text = tap('# Subtest: outer', '    # Subtest: inner', '        # Subtest: a', '        ok 1 - a');
  assert.deepEqual(readTap(text)?.tests, [
    { id: 'outer > inner > a', status: 'passed' },
    { id: 'outer > inner', status: 'failed', message: 'the run broke off' },
    { id: 'outer', status: 'failed', message: 'the run broke off' },
  ]);
});

test('a block of text, quoted strings and escapes are read as they were meant', () => {
  const block = [
    '  ---',
    "  one: 'it''s'",
    '  two: "a\\tb"',
    '  three: |-',
    '    x',
    '      y',
    '    ',
    '  four: plain',
    '  five:',
    '    a: 1',
    '  ...',
  ];
  assert.deepEqual(
    [...readDiagnostic(block, 0).fields],
    [
      ['one', "it's"],
      ['two', 'a\tb'],
      ['three', 'x\n  y'],
      ['four', 'plain'],
    ],
  );
  assert.equal(readDiagnostic(block, 0).last, block.length - 1);
});

test('where there is no block, no line is taken', () => {
  assert.deepEqual(readDiagnostic(['ok 1', 'ok 2'], 1), { fields: new Map(), last: 0 });
});

test('a block without an end takes the rest', () => {
  assert.equal(readDiagnostic(['  ---', '  a: 1'], 0).last, 1);
});

test('no text makes the reader fail or loop', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'ok 1 - a',
      'not ok 2',
      '    ok 1 - b',
      '        not ok 1',
      '# Subtest: s',
      '  ---',
      '  ...',
      '  error: |-',
      '1..4',
      '}',
      '    1..1',
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const reading = readTap(tap(...lines));
      assert.ok((reading?.tests ?? []).every((one) => one.id !== ''));
    }),
  );
});
