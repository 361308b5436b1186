import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { en } from '../../server/web/i18n/en.ts';
import { fill, languageOf } from '../../server/web/i18n/translate.ts';
import { zh } from '../../server/web/i18n/zh.ts';
import { bytes, duration, formatFor } from '../../server/web/shell/format.ts';
import { linkTo, parsePlace } from '../../server/web/shell/route.ts';
import { visible, visibleLine } from '../../server/web/shell/visible.ts';

describe('the texts of the page', () => {
  it('are there in both languages, with the same places for values, and none is empty', () => {
    assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
    for (const [key, text] of Object.entries<string>(en)) {
      const other = zh[key as keyof typeof zh];
      assert.deepEqual(places(other), places(text), key);
      assert.ok(text !== '' && other !== '', key);
    }
  });

  it('are in the first language that the browser prefers and the page has', () => {
    assert.equal(languageOf(['fr-FR', 'zh-TW', 'en']), 'zh');
    assert.equal(languageOf(['de', 'en-US', 'zh']), 'en');
    assert.equal(languageOf([]), 'en');
  });

  it('take values, and keep a place that has none', () => {
    assert.equal(fill('{n} of {total}, {n}', { n: 1 }), '1 of {total}, 1');
    assert.equal(fill('{n}', { n: '{n}$&' }), '{n}$&');
  });
});

describe('texts of agents', () => {
  it('show escapes, direction marks and invisible characters as signs', () => {
    assert.equal(visible('\x1b[31mred\x07\x7f'), '␛[31mred␇␡');
    assert.equal(visible('a\u202eb\u200bc\u2028'), 'a⟨202e⟩b⟨200b⟩c⟨2028⟩');
    assert.equal(visible('one\r\ntwo\tthree\rfour'), 'one\ntwo\tthree␍four');
    assert.equal(visibleLine('one\n\ttwo'), 'one two');
  });

  it('have nothing left that hides or turns, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(visible(text), /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/);
      }),
    );
  });
});

describe('figures', () => {
  it('say durations and sizes in the unit that fits', () => {
    assert.deepEqual([431, 2_430, 185_000, 7_500_000].map(duration), ['431 ms', '2.4 s', '3 min 05 s', '2 h 05 min']);
    assert.deepEqual([0, 999, 1_500, 3_200_000, 52e9, 2e12].map(bytes), [
      '0 B',
      '999 B',
      '1.5 kB',
      '3.2 MB',
      '52 GB',
      '2.0 TB',
    ]);
  });

  it('say the time of day alone where the moment is today', () => {
    const { moment, count } = formatFor('en-GB');
    const now = new Date('2026-11-30T12:00:00');
    assert.match(moment(new Date('2026-11-30T09:08:07').toISOString(), now), /^09:08:07$/);
    assert.match(moment(new Date('2026-11-29T09:08:07').toISOString(), now), /^29 Nov 2026 09:08:07$/);
    assert.equal(moment('no moment', now), 'no moment');
    assert.equal(count(10_000), '10,000');
  });
});

describe('addresses within the page', () => {
  it('lead back to what they were made of', () => {
    const part = fc.string({ minLength: 1, unit: 'grapheme' });
    const query = fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
      part,
    );
    fc.assert(
      fc.property(fc.array(part), query, (parts, members) => {
        const place = parsePlace(linkTo(parts, members));
        assert.deepEqual(place.parts, parts);
        assert.deepEqual({ ...place.query }, { ...members });
      }),
    );
  });

  it('leave out what is not given, and survive what is no address', () => {
    assert.equal(linkTo(['p', 'a'], { from: undefined, to: '' }), '#/p/a');
    assert.deepEqual(parsePlace('#/p/%E0%A4%A/x').parts, ['p', '%E0%A4%A', 'x']);
    assert.deepEqual(parsePlace(''), { parts: [], query: {} });
  });
});
