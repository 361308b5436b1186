import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCargoTest } from '../../../server/verdicts/readers/cargo-test.ts';
import { errorLine, inspectedError, isTestFile, spokenError } from '../../../server/verdicts/readers/error-text.ts';
import { readGoTest } from '../../../server/verdicts/readers/go-test.ts';
import { readJest } from '../../../server/verdicts/readers/jest.ts';
import { readJunit } from '../../../server/verdicts/readers/junit.ts';
import { readOutput } from '../../../server/verdicts/readers/read-output.ts';
import type { Reader } from '../../../server/verdicts/readers/reading.ts';
import { readSpec } from '../../../server/verdicts/readers/spec.ts';
import { readTap } from '../../../server/verdicts/readers/tap.ts';
import { sample } from './sample.ts';

const READERS: readonly (readonly [string, Reader, string])[] = [
  ['TAP', readTap, 'node-24.tap'],
  ['spec', readSpec, 'node-24.spec'],
  ['JUnit', readJunit, 'vitest.xml'],
  ['JUnit of pytest', readJunit, 'pytest.xml'],
  ['jest', readJest, 'jest.json'],
  ['cargo', readCargoTest, 'cargo.txt'],
];

for (const [name, read, file] of READERS) {
  const text = sample(file);

  test(`${name}: a report that was cut anywhere is read as far as it goes, or is none`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (length) => {
        const reading = read(text.slice(0, length));
        assert.ok((reading?.tests ?? []).every(({ id, status }) => typeof id === 'string' && status.length > 0));
      }),
      { numRuns: 60 },
    );
  });

  test(`${name}: lines that a program prints in between are no failure of the reader`, () => {
    const noise = fc.oneof(
      fc.string(),
      fc.constantFrom('✔ x (1ms)', 'ok 1 - x', '<failure>', 'test x ... ok', '{"Action":"pass"}', '▶ x'),
    );
    fc.assert(
      fc.property(noise, fc.nat({ max: text.split('\n').length }), (line, at) => {
        assert.doesNotThrow(() => read(text.split('\n').toSpliced(at, 0, line).join('\n')));
      }),
      { numRuns: 60 },
    );
  });
}

test('spec: a run that broke off keeps what it held, and has failed there', () => {
  const text = '▶ outer\n  ▶ inner\n    ✔ a (1ms)\nℹ tests 1\n';
  assert.deepEqual(
    readSpec(text)?.tests.map(({ id, status }) => [id, status]),
    [
      ['outer > inner > a', 'passed'],
      ['outer > inner', 'failed'],
      ['outer', 'failed'],
    ],
  );
});

test('spec: tests of one name have each the error of their own', () => {
  const text = [
    '▶ a',
    '  ✖ same (1ms)',
    '✖ a (1ms)',
    '▶ b',
    '  ✖ same (1ms)',
    '✖ b (1ms)',
    'ℹ tests 2',
    '',
    '✖ failing tests:',
    '',
    'test at a.mjs:1:1',
    '✖ same (1ms)',
    '  Error: first',
    '      at x (a.mjs:1:1)',
    '',
    'test at b.mjs:1:1',
    '✖ same (1ms)',
    '  Error: second',
  ].join('\n');
  assert.deepEqual(
    readSpec(text)?.tests.map(({ id, message }) => [id, message]),
    [
      ['a > same', 'first'],
      ['b > same', 'second'],
    ],
  );
});

test('a very large report of each kind is read whole', () => {
  const count = 20_000;
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const tap = numbers.map((n) => `not ok ${n} - test ${n}\n  ---\n  error: 'x'\n  ...`);
  const go = numbers.map(
    (n) =>
      `{"Action":"output","Package":"p","Test":"T${n}/s","Output":"x"}\n{"Action":"fail","Package":"p","Test":"T${n}/s"}`,
  );
  const spec = numbers.map((n) => `✖ test ${n} (1ms)`);
  const errors = numbers.map((n) => `test at a.mjs:1:1\n✖ test ${n} (1ms)\n  Error: x\n      at y (a.mjs:1:1)\n`);
  const cargo = numbers.map((n) => `test t${n} ... FAILED`);
  const panics = numbers.map((n) => `---- t${n} stdout ----\nthread 't${n}' panicked at a.rs:1:1:\nx`);
  for (const lines of [
    ['TAP version 13', ...tap, `1..${count}`],
    go,
    [...spec, `ℹ tests ${count}`, '✖ failing tests:', '', ...errors],
    [`running ${count} tests`, ...cargo, ...panics],
  ]) {
    assert.equal(readOutput(lines.join('\n'))?.tests.filter(({ message }) => message === 'x').length, count);
  }
});

test('an error is told by its words, and by its kind where that says more', () => {
  assert.equal(spokenError('AssertionError [ERR_ASSERTION]', 'a'), 'a');
  assert.equal(spokenError('Error', 'a'), 'a');
  assert.equal(spokenError('RangeError', 'a'), 'RangeError: a');
  assert.equal(spokenError(undefined, 'a'), 'a');
});

test('the first line of an error is found among what a program printed', () => {
  assert.equal(errorLine(['x', 'Error: a', 'TypeError: b']), 'a');
  assert.equal(
    errorLine(['/x/y.mjs:3', '  ^', "SyntaxError: Unexpected token ';'"]),
    "SyntaxError: Unexpected token ';'",
  );
  assert.equal(errorLine(['Uncaught RangeError: a']), 'RangeError: a');
  assert.equal(errorLine(['Error [ERR_X]: a b']), 'a b');
  assert.equal(errorLine(['no error here', 'Errors: 0', 'an Error: in a sentence']), undefined);
});

test('an error as it is printed loses its stack, its properties and its brackets', () => {
  const inspected = (text: string): string => inspectedError(text.split('\n'));
  assert.equal(
    inspected("AssertionError [ERR_ASSERTION]: a\n\n1 !== 2\n\n    at x (y.mjs:1:2) {\n  code: 'E'\n}"),
    'a\n\n1 !== 2',
  );
  assert.equal(inspected('[TypeError [Error]: fetch failed] {\n  [cause]: Error: x\n}'), 'TypeError: fetch failed');
  assert.equal(inspected("'it\\'s a string'"), "it's a string");
  assert.equal(inspected('just words'), 'just words');
});

test('a name that is the path of a script is a test file', () => {
  for (const name of ['a.test.mjs', 'tests/a.test.js', '/x/y/a.cts', './a-b.tsx'])
    assert.equal(isTestFile(name), true, name);
  for (const name of ['adds', 'a b.js', 'reads a.json', 'config.js is read', 'a.test'])
    assert.equal(isTestFile(name), false, name);
});

test('go: output that is no event is left out, an empty run has no tests', () => {
  assert.equal(readGoTest('ok  \ttodo\t0.1s\n'), undefined);
  assert.deepEqual(readGoTest('{"Action":"start","Package":"todo"}')?.tests, []);
});
