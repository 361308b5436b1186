import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { unitGraphFaults } from '../../server/domain/unit-graph.ts';
import { unitSpec } from '../support/loop-story.ts';

describe('a list of units', () => {
  it('is sound where each stands on earlier ones', () => {
    assert.deepEqual(unitGraphFaults([unitSpec('a'), unitSpec('b', ['a']), unitSpec('c', ['a', 'b'])]), []);
  });

  it('names the units of a circle', () => {
    const units = [unitSpec('a', ['c']), unitSpec('b', ['a']), unitSpec('c', ['b']), unitSpec('d')];
    assert.deepEqual(unitGraphFaults(units), ['units depend on each other in a circle: a -> c -> b -> a']);
  });

  it('names a unit that stands on itself', () => {
    assert.deepEqual(unitGraphFaults([unitSpec('a', ['a'])]), ['units depend on each other in a circle: a -> a']);
  });

  it('names what is missing and who needs it', () => {
    assert.deepEqual(unitGraphFaults([unitSpec('a', ['ghost'])]), [
      'unit a depends on ghost, which is not in the list',
    ]);
  });

  it('names a unit that comes twice', () => {
    assert.deepEqual(unitGraphFaults([unitSpec('a'), unitSpec('a')]), ['unit a is in the list more than once']);
  });

  it('has no circle exactly where the units can be put in an order', () => {
    const graph = fc
      .array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 })
      .map((edges) =>
        edges.map((needs, i) => unitSpec(`u${i}`, [...new Set(needs.map((n) => `u${n % edges.length}`))])),
      );
    fc.assert(
      fc.property(graph, (units) => {
        const done = new Set<string>();
        for (const _ of units)
          for (const { id, depends_on } of units) if (depends_on.every((need) => done.has(need))) done.add(id);
        assert.equal(unitGraphFaults(units).length === 0, done.size === units.length);
      }),
    );
  });
});
