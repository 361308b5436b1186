import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseOid } from '../../server/domain/ids.ts';
import type { DiskFile } from '../../server/tree/disk-tree.ts';
import { packFiles, unpackFile } from '../../server/tree/packed-files.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const file: fc.Arbitrary<DiskFile> = fc
  .record({
    size: fc.maxSafeNat(),
    mtime: number,
    ctime: number,
    ino: fc.maxSafeNat(),
    mode: fc.nat(0o7777),
    seen: fc.maxSafeNat(),
  })
  .chain((stamp) =>
    fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => ({
      ...stamp,
      kind: 'file' as const,
      name: 'n',
      oid: parseOid(Buffer.from(bytes).toString('hex')),
    })),
  );

test('files come out as they went in, and absent ones stay absent, on the way through another thread as well', () => {
  fc.assert(
    fc.property(fc.array(fc.option(file, { nil: undefined })), (files) => {
      const packed = structuredClone(packFiles(files));
      assert.deepEqual(
        files.map((_, i) => unpackFile(packed, i, 'n')),
        files,
      );
      assert.equal(unpackFile(packed, files.length, 'n'), undefined);
    }),
  );
});
