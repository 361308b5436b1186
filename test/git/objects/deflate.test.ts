import assert from 'node:assert/strict';
import test from 'node:test';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { parseOid } from '../../../server/domain/ids.ts';
import { deflateObject, deflateSoon } from '../../../server/git/objects/deflate.ts';

const oid = parseOid('1'.repeat(40));
const kinds = ['blob', 'tree', 'commit', 'tag'] as const;

test('what was packed is unpacked to the same bytes, stored or compressed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 9000 }), (kind, content) => {
      assert.deepEqual(new Uint8Array(inflateSync(deflateObject({ oid, kind, content }))), content);
    }),
  );
});

test('contents at the limit of a stored block, and of a large checksum, come back whole', async () => {
  for (const length of [0, 63, 64, 3800, 3801, 65535, 65536, 300_000]) {
    const content = Buffer.alloc(length, 0xff);
    for (const kind of kinds) assert.ok(inflateSync(deflateObject({ oid, kind, content })).equals(content));
    assert.ok(inflateSync(await deflateSoon(content)).equals(content));
  }
});
