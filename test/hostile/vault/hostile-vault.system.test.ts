import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRAPS } from './all-traps.ts';
import { runTraps, summary } from './run-all.ts';

test('no trap runs, writes outside, hangs or makes a call wrong: one at a time and all together', async (t) => {
  const numbers = TRAPS.map((_, number) => number);
  const halves = [numbers.filter((number) => number % 2 === 0), numbers.filter((number) => number % 2 === 1)];
  const lines = (await Promise.all(halves.map((half) => runTraps(half)))).flat();
  t.diagnostic(summary(lines));
  assert.equal(lines.flatMap(({ report }) => report.faults).length, 0, summary(lines));
});
