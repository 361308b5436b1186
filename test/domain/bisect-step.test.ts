import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BisectVerdict, bisectStep } from '../../server/domain/bisect-step.ts';

/** Follows the search to its end; `firstBad` is what it looks for, `mute` cannot be judged. */
function search(count: number, firstBad: number, mute: ReadonlySet<number> = new Set()) {
  const verdicts = new Map<number, BisectVerdict>();
  for (let tries = 0; ; tries++) {
    const step = bisectStep(count, verdicts);
    if (step.kind === 'found') return { ...step, tries };
    assert.ok(!verdicts.has(step.index) && step.index >= 0 && step.index < count - 1);
    verdicts.set(step.index, mute.has(step.index) ? 'skipped' : step.index >= firstBad ? 'bad' : 'good');
  }
}

test('a single candidate is the one', () => {
  assert.deepEqual(bisectStep(1, new Map()), { kind: 'found', index: 0, unsure: [] });
});

test('the first bad one is found in as many tries as halving takes', () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 2000 })
        .chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 0, max: count - 1 }))),
      ([count, firstBad]) => {
        const { index, unsure, tries } = search(count, firstBad);
        assert.deepEqual([index, unsure], [firstBad, []]);
        assert.ok(tries <= Math.ceil(Math.log2(count + 1)));
      },
    ),
  );
});

test('candidates that cannot be judged are passed over, and named where any of them may be the first', () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 2, max: 60 })
        .chain((count) =>
          fc.tuple(
            fc.constant(count),
            fc.integer({ min: 0, max: count - 1 }),
            fc.uniqueArray(fc.integer({ min: 0, max: count - 2 })),
          ),
        ),
      ([count, firstBad, muted]) => {
        const { index, unsure } = search(count, firstBad, new Set(muted));
        assert.ok([...unsure, index].includes(firstBad));
        assert.ok(unsure.every((candidate) => muted.includes(candidate)));
      },
    ),
  );
});
