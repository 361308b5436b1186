import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { hasCode } from '../../server/io/io-error.ts';
import { appendBelow, readBelow, readLinkBelow, writeBelow } from '../../server/io/safe-path.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const refused = (error: unknown): boolean => hasCode(error, 'path_refused');

/** A root with a folder outside of it that nothing may touch. */
const inRoot = (use: (root: string, outside: string) => void | Promise<void>) =>
  inTempFolder(async (folder) => {
    const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
    mkdirSync(root);
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'outside');
    await use(root, outside);
    assert.deepEqual(readdirSync(outside), ['file']);
    assert.equal(readFileSync(join(outside, 'file'), 'utf8'), 'outside');
  });

const everyWay = (root: string, path: string): void => {
  assert.throws(() => readBelow(root, path, 100), refused, `read ${path}`);
  assert.throws(() => writeBelow(root, path, 'x'), refused, `write ${path}`);
  assert.throws(() => appendBelow(root, path, 'x'), refused, `append ${path}`);
};

describe('a path below a root', () => {
  it('is written with the folders above it, appended to, and read back', () =>
    inRoot((root) => {
      writeBelow(root, 'a/b/c.txt', 'eins ');
      appendBelow(root, 'a/b/c.txt', 'zwei');
      appendBelow(root, 'd/new.log', 'drei');
      assert.equal(readBelow(root, 'a/b/c.txt', 9)?.toString(), 'eins zwei');
      assert.equal(readBelow(root, 'd/new.log', 9)?.toString(), 'drei');
      writeBelow(root, 'a/b/c.txt', 'vier');
      assert.equal(readBelow(root, 'a/b/c.txt', 9)?.toString(), 'vier');
      assert.deepEqual(readdirSync(join(root, 'a/b')), ['c.txt']);
    }));

  it('is a string of bytes', () =>
    inRoot((root) => {
      writeBelow(root, 'gr\xc3\xb6\xc3\x9fe/\xff', 'x');
      assert.deepEqual(readdirSync(root), ['größe']);
      assert.deepEqual(readdirSync(join(root, 'größe'), 'latin1'), ['\xff']);
      assert.equal(readBelow(root, 'gr\xc3\xb6\xc3\x9fe/\xff', 1)?.toString(), 'x');
    }));

  it('gives the text of a link in bytes, wherever it leads, and nothing for what is no link', () =>
    inRoot((root, outside) => {
      symlinkSync(Buffer.from('/etc/\xff', 'latin1'), join(root, 'link'));
      symlinkSync(outside, join(root, 'folder'));
      writeFileSync(join(root, 'file'), 'x');
      assert.equal(readLinkBelow(root, 'link')?.toString('latin1'), '/etc/\xff');
      for (const path of ['file', 'none', 'no/such']) assert.equal(readLinkBelow(root, path), undefined);
      assert.throws(() => readLinkBelow(root, 'folder/file'), refused);
      assert.throws(() => readLinkBelow(root, '../outside/file'), refused);
    }));

  it('reads as undefined where it or a folder above it is absent', () =>
    inRoot((root) => {
      assert.equal(readBelow(root, 'none', 1), undefined);
      assert.equal(readBelow(root, 'no/such/file', 1), undefined);
    }));

  it('is refused where it is absolute, empty, climbs or holds a NUL', () =>
    inRoot((root) => {
      for (const path of [
        '',
        '/',
        '/etc/passwd',
        '..',
        '../outside/file',
        'a/../../outside/file',
        './a',
        'a//b',
        'a/',
        'a\0b',
      ])
        everyWay(root, path);
    }));

  it('never leads through a link to a folder', () =>
    inRoot((root, outside) => {
      symlinkSync(outside, join(root, 'link'));
      mkdirSync(join(root, 'a'));
      symlinkSync('../../outside', join(root, 'a/link'));
      symlinkSync('loop', join(root, 'loop'));
      for (const path of ['link/file', 'link/new', 'a/link/file', 'a/link/deep/new', 'loop/file']) everyWay(root, path);
    }));

  it('is not read or appended to where it is a link itself; a write replaces the link', () =>
    inRoot((root, outside) => {
      symlinkSync(join(outside, 'file'), join(root, 'link'));
      assert.throws(() => readBelow(root, 'link', 100), refused);
      assert.throws(() => appendBelow(root, 'link', 'x'), refused);
      writeBelow(root, 'link', 'own');
      assert.ok(lstatSync(join(root, 'link')).isFile());
    }));

  it('is refused at once where it is a pipe or a folder', () =>
    inRoot((root) => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      mkdirSync(join(root, 'folder'));
      for (const path of ['pipe', 'folder']) {
        assert.throws(() => readBelow(root, path, 100), refused);
        assert.throws(() => appendBelow(root, path, 'x'), refused);
      }
      everyWay(root, 'pipe/below');
      assert.throws(() => writeBelow(root, 'folder', 'x'), refused);
      assert.deepEqual(readdirSync(root).sort(), ['folder', 'pipe']);
    }));

  it('is not appended to where the file has another name besides', () =>
    inRoot((root, outside) => {
      linkSync(join(outside, 'file'), join(root, 'hard'));
      assert.throws(() => appendBelow(root, 'hard', 'x'), refused);
      writeBelow(root, 'hard', 'own');
      assert.equal(readFileSync(join(root, 'hard'), 'utf8'), 'own');
    }));

  it('is not read where it is larger than the limit', () =>
    inRoot((root) => {
      writeBelow(root, 'file', '12345');
      assert.equal(readBelow(root, 'file', 5)?.length, 5);
      assert.throws(
        () => readBelow(root, 'file', 4),
        (error) => hasCode(error, 'too_large'),
      );
    }));

  it('is whole before it is seen, in a stage elsewhere if asked', () =>
    inRoot((root) => {
      const stage = join(root, 'stage');
      mkdirSync(stage);
      writeBelow(root, 'file', 'x', { stage, mode: 0o600 });
      assert.deepEqual(readdirSync(stage), []);
      assert.equal(lstatSync(join(root, 'file')).mode & 0o777, 0o600);
      rmSync(stage, { recursive: true });
      assert.throws(
        () => writeBelow(root, 'file', 'y', { stage }),
        (error) => hasCode(error, 'ENOENT'),
      );
      assert.equal(readFileSync(join(root, 'file'), 'utf8'), 'x');
    }));

  it('stays inside while somebody swaps its folder for a link as fast as can be', () =>
    inRoot(async (root, outside) => {
      const real = join(root, 'a');
      mkdirSync(real);
      const swapper = new Worker(
        `const { renameSync, symlinkSync, rmSync } = require('node:fs');
         const { workerData: [real, outside] } = require('node:worker_threads');
         const evenIfAWriteMadeAFolderThere = (action) => {
           for (;;) {
             try { return action(); } catch {}
             try { rmSync(real, { recursive: true, force: true }); } catch {}
           }
         };
         for (;;) {
           renameSync(real, real + '.kept');
           evenIfAWriteMadeAFolderThere(() => symlinkSync(outside, real));
           rmSync(real);
           evenIfAWriteMadeAFolderThere(() => renameSync(real + '.kept', real));
         }`,
        { eval: true, workerData: [real, outside] },
      );
      await new Promise((resolve) => swapper.once('online', resolve));
      let refusals = 0;
      for (let i = 0; i < 1500; i++) {
        try {
          writeBelow(root, 'a/new', 'x');
        } catch (error) {
          if (!refused(error) && !hasCode(error, 'ENOENT')) throw error;
          refusals++;
        }
      }
      await swapper.terminate();
      assert.ok(refusals > 0, 'no swap was met');
    }));
});
