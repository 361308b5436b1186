import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestDifference, digestFolder } from '../../server/demo/folder-digest.ts';
import { inTempFolder } from '../support/temp-folder.ts';

test('a digest sees bytes, modes, link texts, kinds and names in bytes, and no times', async () => {
  await inTempFolder((folder) => {
    mkdirSync(join(folder, 'a/empty'), { recursive: true });
    writeFileSync(join(folder, 'a/file'), 'one');
    symlinkSync('file', join(folder, 'a/link'));
    writeFileSync(Buffer.from(`${folder}/na\xffme`, 'latin1'), 'x');
    const before = digestFolder(folder);
    assert.deepEqual([...before.keys()], ['a', 'a/empty', 'a/file', 'a/link', 'na\xffme']);
    utimesSync(join(folder, 'a/file'), 1, 1);
    assert.deepEqual(digestDifference(before, digestFolder(folder)), []);
    const changes: readonly [string, () => void][] = [
      ['a/file', () => writeFileSync(join(folder, 'a/file'), 'two')],
      ['a/file', () => chmodSync(join(folder, 'a/file'), 0o600)],
      ['a/empty', () => rmSync(join(folder, 'a/empty'), { recursive: true })],
      ['a/new', () => mkdirSync(join(folder, 'a/new'))],
    ];
    for (const [path, change] of changes) {
      const was = digestFolder(folder);
      change();
      assert.deepEqual(digestDifference(was, digestFolder(folder)), [path]);
      assert.deepEqual(
        digestDifference(was, digestFolder(folder), (at) => at !== path),
        [],
      );
    }
    const was = digestFolder(folder);
    rmSync(join(folder, 'a/link'));
    symlinkSync('elsewhere', join(folder, 'a/link'));
    assert.deepEqual(digestDifference(was, digestFolder(folder)), ['a/link']);
  });
});
