import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { parseOid } from '../../../server/domain/ids.ts';
import { encodePackIndex, PackIndex } from '../../../server/git/objects/pack-index.ts';
import { rawGit } from '../../support/raw-git.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const SUM = 'ab'.repeat(20);
const key = fc.uint8Array({ minLength: 20, maxLength: 20 });
const toOid = (bytes: Uint8Array) => parseOid(Buffer.from(bytes).toString('hex'));

test('an index has what it was made of and nothing else', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.array(key, { maxLength: 20 }), (held, others) => {
      const oids = [...new Set(held.map(toOid))];
      const index = new PackIndex(
        encodePackIndex(
          oids.map((oid) => ({ oid, offset: 12, crc32: 1 })),
          SUM,
        ),
        'test',
      );
      assert.equal(index.count, oids.length);
      for (const oid of oids) assert.ok(index.has(Buffer.from(oid, 'hex')));
      for (const other of others) assert.equal(index.has(Buffer.from(other)), oids.includes(toOid(other)));
    }),
  );
});

test('git reads offsets beyond two gigabytes and checksums as they were given', (t) => {
  const folder = scratchFolder(t);
  const entries = ['00', '7f', '80', 'ff'].map((start, i) => ({
    oid: parseOid(start.padEnd(40, String(i))),
    offset: [12, 0x7fffffff, 0x80000000, 5_000_000_000][i] ?? 0,
    crc32: [0, 1, 0x80000000, 0xffffffff][i] ?? 0,
  }));
  const shown = rawGit(folder, encodePackIndex(entries, SUM))('show-index');
  assert.equal(
    shown,
    entries.map(({ oid, offset, crc32 }) => `${offset} ${oid} (${crc32.toString(16).padStart(8, '0')})`).join('\n'),
  );
});

test('bytes that are no index are refused', () => {
  const whole = encodePackIndex([{ oid: toOid(new Uint8Array(20)), offset: 12, crc32: 0 }], SUM);
  const scribbled = Buffer.from(whole);
  scribbled[7] = 3;
  for (const bad of [Buffer.alloc(0), whole.subarray(0, 1000), whole.subarray(0, -20), scribbled]) {
    assert.throws(
      () => new PackIndex(bad, 'bad'),
      (error) => isDevLoopError(error, 'store_damaged'),
    );
  }
});

test('ids that begin with the same bytes are told apart by their ends', () => {
  const oids = Array.from({ length: 40 }, (_, i) =>
    parseOid(`0a0b0c0d${i < 20 ? '00' : 'ff'}${String(i).padStart(30, '0')}`),
  );
  const entries = oids.map((oid, i) => ({ oid, offset: 12 + i, crc32: 0 }));
  const index = new PackIndex(encodePackIndex(entries, 'ab'.repeat(20)), 'test');
  for (const [i, oid] of oids.entries()) assert.equal(index.offsetOf(Buffer.from(oid, 'hex')), 12 + i);
  assert.equal(index.has(Buffer.from(`0a0b0c0d${'7'.repeat(32)}`, 'hex')), false);
});
