import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allEnded } from '../../server/io/all-ended.ts';
import { syncFolderSoon, writeAtomicSoon, writeNewSoon } from '../../server/io/sync-soon.ts';
import { inTempFolder } from '../support/temp-folder.ts';

test('a file is replaced whole, a link in its place is not followed, and nothing else stays', () =>
  inTempFolder(async (folder) => {
    const [target, path] = [join(folder, 'target'), join(folder, 'f')];
    writeFileSync(target, 'theirs');
    symlinkSync(target, path);
    await writeAtomicSoon(path, 'ours', { mode: 0o600 });
    assert.deepEqual(readdirSync(folder).sort(), ['f', 'target']);
    assert.deepEqual([readFileSync(path, 'utf8'), readFileSync(target, 'utf8')], ['ours', 'theirs']);
    assert.equal(lstatSync(path).mode & 0o7777, 0o600);
  }));

test('where a name cannot be given, the old file and nothing else is there', () =>
  inTempFolder(async (folder) => {
    const path = join(folder, 'd');
    mkdirSync(join(path, 'inner'), { recursive: true });
    await assert.rejects(writeAtomicSoon(path, 'x'), { code: 'EISDIR' });
    assert.deepEqual(readdirSync(folder), ['d']);
    await assert.rejects(writeNewSoon(path, 'x'), { code: 'EEXIST' });
  }));

test('a link in place of a folder is not synced', () =>
  inTempFolder(async (folder) => {
    symlinkSync(folder, join(folder, 'link'));
    await syncFolderSoon(folder);
    await assert.rejects(syncFolderSoon(join(folder, 'link')), { code: 'ENOTDIR' });
  }));

test('of several the first failure is told when all have ended', async () => {
  let isOver = false;
  const slow = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    isOver = true;
  });
  await assert.rejects(
    allEnded([Promise.reject(new Error('first')), slow, Promise.reject(new Error('second'))]),
    /first/,
  );
  assert.ok(isOver);
  assert.deepEqual(await allEnded([Promise.resolve(1), undefined]), [1, undefined]);
});
