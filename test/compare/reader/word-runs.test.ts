import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { wordRuns, wordsOf } from '../../../server/compare/reader/difference/word-runs.ts';
import type { WordRun } from '../../../server/domain/comparison.ts';

const shown = (before: string, after: string): string =>
  wordRuns(wordsOf(before), wordsOf(after))
    .map(({ change, text }) => (change === 'same' ? text : change === 'added' ? `{+${text}+}` : `[-${text}-]`))
    .join('');
const side = (runs: readonly WordRun[], without: WordRun['change']): string =>
  runs
    .filter(({ change }) => change !== without)
    .map(({ text }) => text)
    .join('');

describe('words', () => {
  it('are letters and digits together, signs alone, blanks together', () => {
    assert.deepEqual(wordsOf('Hello,  wörld_1 + 2.5'), ['Hello', ',', '  ', 'wörld_1', ' ', '+', ' ', '2', '.', '5']);
  });

  it('of scripts without blanks are single characters', () => {
    assert.deepEqual(wordsOf('收入 abc かな'), ['收', '入', ' ', 'abc', ' ', 'か', 'な']);
    assert.deepEqual(wordsOf('한국어 text'), ['한국어', ' ', 'text']);
  });

  it('keep marks with their letters, and nothing gets lost', () => {
    assert.deepEqual(wordsOf('e\u0301a'), ['e\u0301a']);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(wordsOf(text).join(''), text)));
  });
});

describe('runs of words', () => {
  it('are in order: what stayed, what went, what came', () => {
    assert.equal(shown('a b c', 'a x c'), 'a [-b-]{+x+} c');
    assert.equal(shown('', 'new'), '{+new+}');
    assert.equal(shown('old', ''), '[-old-]');
    assert.equal(shown('same', 'same'), 'same');
  });

  it('take a blank between two changes with them', () => {
    assert.equal(shown('one two three', 'uno dos three'), '[-one two-]{+uno dos+} three');
  });

  it('of texts that share nothing are one that went and one that came', () => {
    const words = (seed: string) => Array.from({ length: 3000 }, (_, i) => `${seed}${i}`);
    const runs = wordRuns(words('a'), words('b'));
    assert.deepEqual(
      runs.map(({ change }) => change),
      ['deleted', 'added'],
    );
  });

  it('give both texts back: without what came the one, without what went the other', () => {
    const text = fc
      .array(fc.constantFrom('red', 'blue', ' ', '  ', '收', '.', '\n', 'x'))
      .map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const runs = wordRuns(wordsOf(before), wordsOf(after));
        assert.equal(side(runs, 'added'), before);
        assert.equal(side(runs, 'deleted'), after);
        assert.ok(runs.every((one, at) => one.change !== runs[at + 1]?.change && one.text !== ''));
      }),
      { numRuns: 300 },
    );
  });
});
