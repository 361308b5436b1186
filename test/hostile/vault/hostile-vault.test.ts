import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRAPS } from './all-traps.ts';
import { runTraps, summary } from './run-all.ts';

/** Some of each kind; all of them run, one at a time, with the system's tests. */
const SAMPLE = [
  'setting core.fsmonitor in .git',
  '.git/refs/heads/main a pipe',
  'a blob with the content of another one',
  '.gitattributes a pipe',
  'everything at once',
];

test('a sample of traps runs nothing, writes nothing outside, and leaves every call right or with a named error', async () => {
  const numbers = SAMPLE.map((name) => TRAPS.findIndex((trap) => trap.name === name));
  assert.ok(!numbers.includes(-1));
  const lines = await runTraps(numbers);
  assert.equal(lines.flatMap(({ report }) => report.faults).length, 0, summary(lines));
});

test('each trap has a name of its own', () => {
  assert.equal(new Set(TRAPS.map(({ name }) => name)).size, TRAPS.length);
  assert.ok(TRAPS.length > 300, String(TRAPS.length));
});
