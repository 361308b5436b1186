import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepTail } from '../../server/io/keep-tail.ts';

test('what is shorter than the limit is kept whole', () => {
  const tail = keepTail(10);
  tail.push(Buffer.from('ab'));
  tail.push(Buffer.from(''));
  tail.push(Buffer.from('€'));
  assert.equal(tail.text(), 'ab€');
  assert.equal(tail.text(), 'ab€');
});

test('of what is longer the end is kept, without the rest of a character that the cut went through', () => {
  const tail = keepTail(5);
  tail.push(Buffer.from('x€€'));
  assert.equal(tail.text(), '€');
});

test('bytes that are no text are not taken for the rest of a character where nothing was cut', () => {
  const tail = keepTail(5);
  tail.push(Buffer.from([0x80, 0x41]));
  assert.equal(tail.text(), '\ufffdA');
});

test('the end of a text is the same however it comes in pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      (parts, limit) => {
        const whole = Buffer.from(parts.join(''));
        const [pieces, once] = [keepTail(limit), keepTail(limit)];
        for (const byte of whole) pieces.push(Uint8Array.of(byte));
        once.push(whole);
        assert.equal(pieces.text(), once.text());
        assert.ok(Buffer.from(once.text()).length <= limit && whole.toString().endsWith(once.text()));
      },
    ),
  );
});
