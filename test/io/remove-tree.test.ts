import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasCode } from '../../server/io/io-error.ts';
import { removeTree } from '../../server/io/remove-tree.ts';
import { inTempFolder } from '../support/temp-folder.ts';

/** Makes folders in each other, whose path is longer than the system takes. */
function deepFolder(root: string, levels: number): void {
  const name = 'd'.repeat(200);
  mkdirSync(root);
  let fd = openSync(root, 'r');
  for (let i = 0; i < levels; i++) {
    const below = `/proc/self/fd/${fd}/${name}`;
    mkdirSync(below);
    const next = openSync(below, 'r');
    closeSync(fd);
    fd = next;
  }
  closeSync(fd);
}

describe('removing a tree', () => {
  it('deletes files, pipes, unwritable folders and names that are no text, and does not follow links', () =>
    inTempFolder(async (folder) => {
      const root = join(folder, 'root');
      mkdirSync(join(root, 'a/locked'), { recursive: true });
      mkdirSync(join(folder, 'outside'));
      writeFileSync(join(folder, 'outside/file'), '');
      writeFileSync(join(root, 'a/locked/file'), '');
      chmodSync(join(root, 'a/locked'), 0o555);
      writeFileSync(Buffer.from(`${root}/\xff\xfe`, 'latin1'), '');
      mkdirSync(Buffer.from(`${root}/\xfd`, 'latin1'));
      execFileSync('mkfifo', [join(root, 'pipe')]);
      symlinkSync(join(folder, 'outside'), join(root, 'link'));
      await removeTree(root);
      assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), ['outside', 'outside/file']);
    }));

  it(
    'deletes a tree that is deeper than a path can be long, and many files',
    { skip: process.platform !== 'linux' },
    () =>
      inTempFolder(async (folder) => {
        const root = join(folder, 'root');
        deepFolder(root, 300);
        for (let i = 0; i < 500; i++) writeFileSync(join(root, `file-${i}`), '');
        await removeTree(root);
        assert.deepEqual(readdirSync(folder), []);
      }),
  );

  it('fails where there is nothing', () =>
    inTempFolder(async (folder) => {
      await assert.rejects(removeTree(join(folder, 'none')), (error) => hasCode(error, 'ENOENT'));
      assert.deepEqual(readdirSync(folder), []);
    }));
});
