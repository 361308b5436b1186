import assert from 'node:assert/strict';
import { appendFileSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BytePath } from '../../server/domain/byte-path.ts';
import { EMPTY_FOLDER } from '../../server/domain/file-tree.ts';
import type { Oid } from '../../server/domain/ids.ts';
import { openObjectStore } from '../../server/git/objects/object-store.ts';
import { openObjectWriter } from '../../server/git/objects/object-writer.ts';
import { hasRestingThread } from '../../server/tree/content-thread.ts';
import {
  type ContentWorkers,
  contentWorkers,
  type DiskFile,
  type ObjectSink,
  openWorkingTree,
  type WorkingTree,
} from '../../server/tree/index.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

interface ManyLab {
  readonly root: string;
  readonly gitDir: string;
  readonly tree: WorkingTree;
  readonly workers: ContentWorkers;
  readonly sink: ObjectSink;
  readonly finish: () => Promise<void>;
  readonly abort: () => Promise<void>;
  readonly packs: () => readonly string[];
}

const LARGE = 20_000;
const FILES = 1260;

function inMany(use: (lab: ManyLab) => Promise<void>): Promise<void> {
  return inTempFolder(async (folder) => {
    const [root, gitDir] = [join(folder, 'root'), join(folder, 'git')];
    rawGit(folder, ['init', '-q', '--bare', gitDir]);
    for (let i = 0; i < FILES; i++) {
      if (i % 30 === 0) mkdirSync(join(root, `d${i / 30}`), { recursive: true });
      writeFileSync(join(root, `d${Math.floor(i / 30)}/f${i}`), `the content of file ${i % 800}\n`.repeat(20));
    }
    const objects = join(gitDir, 'objects');
    const workers = contentWorkers({ objects, largeBytes: LARGE });
    const writer = openObjectWriter(openObjectStore(objects), { durable: true });
    const sink: ObjectSink = {
      has: (oid) => workers.has(oid) || writer.has(oid),
      put: (kind, content) => writer.write(kind, content),
      many: workers,
      large: {
        bytes: LARGE,
        *put({ size }) {
          yield;
          return writer.write('blob', Buffer.from(`large ${size}`));
        },
      },
    };
    const rules = { ignoreFiles: false, lists: [], key: 'test' };
    const tree = openWorkingTree({ root, stateFile: join(folder, 'state.bin'), rules });
    const finish = async (): Promise<void> => {
      await workers.finish();
      await writer.finish();
    };
    const abort = async (): Promise<void> => {
      await workers.abort();
      await writer.abort();
    };
    const packs = () => readdirSync(join(objects, 'pack'));
    try {
      await use({ root, gitDir, tree, workers, sink, finish, abort, packs });
    } finally {
      await abort();
    }
  });
}

/** git's own idea of the folder. */
function gitTree(root: string, gitDir: string): string {
  rawGit(root, [`--git-dir=${gitDir}`, '--work-tree=.', 'add', '-A', '.']);
  return rawGit(root, [`--git-dir=${gitDir}`, 'write-tree']).trim();
}

test('many files are taken by threads, and become the tree that git gives them, whole in the store', () =>
  inMany(async ({ root, gitDir, tree, workers, sink, finish, packs }) => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from('\xe9\n"', 'latin1')]), 'odd name');
    symlinkSync('nowhere', join(root, 'link'));
    const { tree: written, disk } = await tree.write({ base: EMPTY_FOLDER, sink });
    const blob = disk.entries.find(({ name }) => name === 'd0');
    assert.ok(blob?.kind === 'folder' && blob.entries.every(({ oid }) => oid !== undefined && workers.has(oid)));
    await finish();
    const alone = rawGit(gitDir, ['cat-file', '--batch-all-objects', '--batch-check']).trim().split('\n').length;
    assert.ok(alone >= 800 + 30, `${alone} objects`);
    assert.equal(rawGit(gitDir, ['fsck', '--strict', '--full', written.oid ?? '']).trim(), '');
    assert.equal(packs().filter((name) => name.endsWith('.tmp') || name.startsWith('tmp')).length, 0);
    assert.equal(written.oid, gitTree(root, gitDir));
  }));

test('what is large, vanished or changed since the walk is left to the usual way', () =>
  inMany(async ({ root, workers }) => {
    rmSync(join(root, 'd0/f0'));
    appendFileSync(join(root, 'd0/f1'), 'x'.repeat(LARGE));
    rmSync(join(root, 'd0/f2'));
    symlinkSync('f3', join(root, 'd0/f2'));
    const found: (DiskFile | undefined)[] = [];
    const files = ['f0', 'f1', 'f2', 'f3'].map((name) => ({
      path: `d0/${name}` as BytePath,
      name,
      done: (file: DiskFile | undefined) => found.push(file),
    }));
    await workers.take({ root, files: files.values(), count: files.length, foreign: [] });
    const [gone, large, link, plain] = found;
    assert.deepEqual([gone, large, link], [undefined, undefined, undefined]);
    assert.ok(workers.has(plain?.oid as Oid));
    const stats = lstatSync(join(root, 'd0/f3'));
    const { seen = 0, ...rest } = plain ?? {};
    assert.ok(Math.abs(seen - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      kind: 'file',
      name: 'f3',
      oid: rawGit(root, ['hash-object', 'd0/f3']).trim(),
      size: stats.size,
      mtime: stats.mtimeMs,
      ctime: stats.ctimeMs,
      ino: stats.ino,
      mode: stats.mode & 0o7777,
    });
  }));

test('what was taken and given up is not in the store, and leaves nothing behind', () =>
  inMany(async ({ tree, sink, abort, packs }) => {
    await tree.write({ base: EMPTY_FOLDER, sink });
    await abort();
    assert.deepEqual(packs(), []);
  }));

test('a signal ends the work between two batches', () =>
  inMany(async ({ tree, sink }) => {
    const signal = AbortSignal.timeout(0);
    await assert.rejects(tree.write({ base: EMPTY_FOLDER, sink, signal }), { name: 'TimeoutError' });
  }));

test('what the system refuses to the store is thrown with its code', () =>
  inMany(async ({ gitDir, tree, sink }) => {
    rmSync(join(gitDir, 'objects/pack'), { recursive: true });
    writeFileSync(join(gitDir, 'objects/pack'), 'in the way');
    await assert.rejects(tree.write({ base: EMPTY_FOLDER, sink }), (error: Error) => 'code' in error);
  }));

test('threads that are done, or have given up, take what comes next, each into the store it is for', async () => {
  for (const end of ['finish', 'abort'] as const) {
    await inMany(async ({ tree, sink, ...lab }) => {
      await tree.write({ base: EMPTY_FOLDER, sink });
      assert.equal(hasRestingThread(), false);
      await lab[end]();
    });
    assert.ok(hasRestingThread());
    await inMany(async ({ gitDir, tree, workers, sink, finish, packs }) => {
      assert.ok(workers.isWorth({ count: 400, bytes: 0 }));
      const { tree: written } = await tree.write({ base: EMPTY_FOLDER, sink });
      await finish();
      assert.equal(rawGit(gitDir, ['fsck', '--strict', '--full', written.oid ?? '']).trim(), '');
      assert.equal(
        packs().some((name) => name.startsWith('tmp')),
        false,
      );
    });
  }
});

test('a thread that was refused something by the system is of use again', async () => {
  await inMany(async ({ gitDir, tree, sink }) => {
    rmSync(join(gitDir, 'objects/pack'), { recursive: true });
    writeFileSync(join(gitDir, 'objects/pack'), 'in the way');
    await assert.rejects(tree.write({ base: EMPTY_FOLDER, sink }));
  });
  assert.ok(hasRestingThread());
  await inMany(async ({ root, gitDir, tree, sink, finish }) => {
    const { tree: written } = await tree.write({ base: EMPTY_FOLDER, sink });
    await finish();
    assert.equal(written.oid, gitTree(root, gitDir));
  });
});
