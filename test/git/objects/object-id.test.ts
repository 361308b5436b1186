import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { hashObject } from '../../../server/git/objects/object-id.ts';

test('an id is the sha1 of header and content, whatever was hashed before and however large it is', () => {
  const limit = 64 * 1024;
  for (const length of [limit - 11, 0, limit - 12, limit, 7, limit - 10, 3 * limit, 1]) {
    const content = Buffer.alloc(length, `bytes of ${length}\n`);
    const expected = createHash('sha1').update(`blob ${length}\0`).update(content).digest('hex');
    assert.equal(hashObject('blob', content), expected);
  }
});
