import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Aligned, align, stretches } from '../../../server/compare/reader/difference/align.ts';

const self = (text: string): string => text;
const pairs = (before: readonly string[], after: readonly string[]): readonly string[] =>
  align(before, after, self).map(({ before: old, after: now, same }) =>
    same ? `= ${now}` : `${old ?? '-'} > ${now ?? '-'}`,
  );
const sideOf = (rows: readonly Aligned<string>[], side: 'before' | 'after'): readonly string[] =>
  rows.flatMap((row) => row[side] ?? []);

describe('two lists side by side', () => {
  it('pair what is alike within a stretch, whatever comes between', () => {
    assert.deepEqual(pairs(['the quick brown fox', 'end'], ['something new here', 'the quick red fox', 'end']), [
      '- > something new here',
      'the quick brown fox > the quick red fox',
      '= end',
    ]);
  });

  it('put as many that came as went in their places', () => {
    assert.deepEqual(pairs(['x', 'one', 'y'], ['x', 'two', 'y']), ['= x', 'one > two', '= y']);
    assert.deepEqual(pairs(['a', 'b'], ['c', 'd']), ['a > c', 'b > d']);
  });

  it('leave alone what came or went besides', () => {
    assert.deepEqual(pairs(['a', 'b', 'c'], ['a', 'c']), ['= a', 'b > -', '= c']);
    assert.deepEqual(pairs([], ['a']), ['- > a']);
    assert.deepEqual(pairs(['a'], []), ['a > -']);
    assert.deepEqual(pairs([], []), []);
  });

  it('find the one of equal items that was changed', () => {
    assert.deepEqual(pairs(['a', 'a', 'a', 'a'], ['a', 'b', 'a', 'a']), ['= a', 'a > b', '= a', '= a']);
  });

  it('of which too much differs keep their ends, and are paired as they come', () => {
    const many = (seed: string) => ['first', ...Array.from({ length: 5000 }, (_, i) => `${seed} ${i}`), 'last'];
    const rows = align(many('old'), many('new'), self);
    assert.equal(rows.length, 5002);
    assert.deepEqual(
      [rows[0]?.same, rows[1], rows.at(-1)?.same],
      [true, { before: 'old 0', after: 'new 0', same: false }, true],
    );
  });

  it('have every item of both exactly once and in order, and pairs that are the same are', () => {
    const list = fc.array(fc.constantFrom('a b c', 'a b d', 'x', 'y z', '', 'a'), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const rows = align(before, after, self);
        assert.deepEqual(sideOf(rows, 'before'), before);
        assert.deepEqual(sideOf(rows, 'after'), after);
        for (const row of rows) if (row.same) assert.equal(row.before, row.after);
      }),
      { numRuns: 300 },
    );
  });

  it('have stretches that begin and end with what differs', () => {
    const found = stretches(['s', 'a', 'b', 'e'], ['s', 'c', 'e'], self);
    assert.deepEqual(found, [
      { same: true, before: 's', after: 's' },
      { gone: ['a', 'b'], come: ['c'] },
      { same: true, before: 'e', after: 'e' },
    ]);
  });
});
