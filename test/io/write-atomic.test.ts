import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasCode } from '../../server/io/io-error.ts';
import { writeAtomic, writeNew } from '../../server/io/write-atomic.ts';
import { inTempFolder } from '../support/temp-folder.ts';

describe('an atomic write', () => {
  it('makes a file or replaces it whole, text or bytes', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'file');
      writeAtomic(path, 'größer');
      assert.equal(readFileSync(path, 'utf8'), 'größer');
      writeAtomic(path, Uint8Array.of(0, 255));
      assert.deepEqual([...readFileSync(path)], [0, 255]);
      assert.deepEqual(readdirSync(folder), ['file']);
    }));

  it('gives the mode that was asked for, whatever the umask is', () =>
    inTempFolder((folder) => {
      const before = process.umask(0o077);
      try {
        writeAtomic(join(folder, 'open'), '', { mode: 0o664 });
      } finally {
        process.umask(before);
      }
      writeAtomic(join(folder, 'secret'), '', { mode: 0o600 });
      assert.equal(statSync(join(folder, 'open')).mode & 0o777, 0o664);
      assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600);
    }));

  it('replaces a link and leaves its target alone', () =>
    inTempFolder((folder) => {
      writeFileSync(join(folder, 'target'), 'kept');
      symlinkSync('target', join(folder, 'link'));
      writeAtomic(join(folder, 'link'), 'new');
      assert.ok(lstatSync(join(folder, 'link')).isFile());
      assert.equal(readFileSync(join(folder, 'target'), 'utf8'), 'kept');
    }));

  it('leaves no temporary file where it fails', () =>
    inTempFolder((folder) => {
      mkdirSync(join(folder, 'taken'));
      assert.throws(
        () => writeAtomic(join(folder, 'taken'), ''),
        (error) => hasCode(error, 'EISDIR', 'ENOTEMPTY'),
      );
      assert.deepEqual(readdirSync(folder), ['taken']);
    }));
});

describe('a new file', () => {
  it('is refused where there is one, or a link that leads nowhere', () =>
    inTempFolder((folder) => {
      symlinkSync('nowhere', join(folder, 'link'));
      writeNew(join(folder, 'file'), '1');
      for (const name of ['file', 'link']) {
        assert.throws(
          () => writeNew(join(folder, name), '2'),
          (error) => hasCode(error, 'EEXIST'),
        );
      }
      assert.equal(readFileSync(join(folder, 'file'), 'utf8'), '1');
    }));
});
