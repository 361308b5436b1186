import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { deflateNow, deflateSoon } from '../../../server/git/objects/deflate.ts';
import { isDense } from '../../../server/git/objects/dense-content.ts';

/** The same bytes for the same seed, which nothing makes smaller. */
function noise(length: number, seed = 'noise'): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
    createHash('sha256').update(`${seed} ${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const text = Buffer.from(Array.from({ length: 9000 }, (_, i) => `line ${i * i} of a text\n`).join(''));

test('what was compressed before is dense, a text is not', () => {
  assert.ok(isDense(noise(50_000)));
  assert.ok(isDense(deflateSync(Buffer.from(noise(90_000).toString('base64')))));
  for (const content of [text, Buffer.alloc(50_000), Buffer.from(noise(50_000).toString('base64'))]) {
    assert.ok(!isDense(content));
  }
});

test('all bytes alike in number do not make a content dense where they repeat', () => {
  assert.ok(!isDense(Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 256))));
});

test('a dense beginning or end does not make all of it dense', () => {
  assert.ok(!isDense(Buffer.concat([noise(20_000), text])));
  assert.ok(!isDense(Buffer.concat([text, noise(20_000)])));
});

test('short content is never called dense', () => {
  for (const length of [0, 1, 1024, 4095]) assert.ok(!isDense(noise(length)));
  assert.ok(isDense(noise(4096)));
});

test('dense content is stored, in hardly more bytes than it has, and anything else gets smaller', async () => {
  for (const length of [4096, 50_000, 300_000]) {
    const content = noise(length);
    for (const stored of [deflateNow(content), await deflateSoon(content)]) {
      assert.ok(stored.length < length + 64 + length / 1000);
      assert.ok(stored.includes(content.subarray(100, 400)));
    }
  }
  assert.ok(deflateNow(text).length < text.length / 2);
});

test('any content can be asked about', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000, size: 'max' }), (content) => {
      assert.equal(typeof isDense(content), 'boolean');
    }),
    { numRuns: 50 },
  );
});
