import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Oid } from '../../server/domain/ids.ts';
import type { ObjectReader } from '../../server/git/object-reader.ts';
import { hashObject } from '../../server/git/objects/object-id.ts';
import { openObjectStore } from '../../server/git/objects/object-store.ts';
import { openObjectWriter } from '../../server/git/objects/object-writer.ts';
import { encodeTree } from '../../server/git/objects/tree-format.ts';
import { openStoreReader } from '../../server/git/store-reader.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const NOBODY: ObjectReader = {
  read: () => Promise.reject(new Error('git was asked')),
  stat: () => Promise.reject(new Error('git was asked')),
  stream: () => Promise.reject(new Error('git was asked')),
  check: () => Promise.reject(new Error('git was asked')),
  close: () => {},
};

interface ReaderLab {
  readonly gitDir: string;
  readonly reader: ObjectReader;
  readonly write: (contents: readonly string[]) => Promise<readonly Oid[]>;
}

function inStore(use: (lab: ReaderLab) => Promise<void>): Promise<void> {
  return inTempFolder(async (folder) => {
    const gitDir = join(folder, 'git');
    rawGit(folder, ['init', '-q', '--bare', gitDir]);
    const store = openObjectStore(join(gitDir, 'objects'));
    const write = async (contents: readonly string[]): Promise<readonly Oid[]> => {
      const writer = openObjectWriter(store, { durable: false });
      const oids = contents.map((content) => writer.write('blob', Buffer.from(content)));
      await writer.finish();
      return oids;
    };
    await use({ gitDir, reader: openStoreReader(store, NOBODY), write });
  });
}

const texts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${i}\n`.repeat(i * 40 + 1));

test('small objects are read without git, loose and from packs, with their sizes', () =>
  inStore(async ({ reader, write }) => {
    for (const contents of [texts(2), texts(30).slice(2)]) {
      for (const [i, oid] of (await write(contents)).entries()) {
        const content = Buffer.from(contents[i] ?? '');
        assert.deepEqual(await reader.read(oid), { kind: 'blob', content });
        assert.deepEqual(await reader.stat(oid), { kind: 'blob', size: content.length });
      }
    }
  }));

test('sizes of what is packed are told without a look at the contents, large ones too', () =>
  inStore(async ({ gitDir, reader, write }) => {
    const contents = ['x'.repeat(2 ** 20 + 1), ...texts(20)];
    const oids = await write(contents);
    const pack = join(gitDir, 'objects/pack');
    const name = readdirSync(pack).find((one) => one.endsWith('.pack')) ?? '';
    const bytes = readFileSync(join(pack, name));
    bytes.fill(0, bytes.length - 40, bytes.length - 20);
    rmSync(join(pack, name));
    writeFileSync(join(pack, name), bytes);
    const sizes = await Promise.all(oids.map((oid) => reader.stat(oid)));
    assert.deepEqual(
      sizes,
      contents.map(({ length: size }) => ({ kind: 'blob', size })),
    );
  }));

test('trees are read as they are written, of any size, and one whose bytes were changed is left to git', () =>
  inStore(async ({ gitDir }) => {
    const store = openObjectStore(join(gitDir, 'objects'));
    const writer = openObjectWriter(store, { durable: false });
    const oid = hashObject('blob', Buffer.from('x'));
    const trees = [1, 3, 1700, 2500].map((count) =>
      encodeTree(
        Array.from({ length: count }, (_, i) => ({ name: `f${String(i).padStart(6, '0')}`, mode: '100644', oid })),
      ),
    );
    const oids = trees.map((content) => writer.write('tree', content));
    await writer.finish();
    const read = openStoreReader(store, NOBODY);
    for (const [i, content] of trees.entries()) {
      assert.deepEqual(await read.read(oids[i] as Oid), { kind: 'tree', content });
      assert.deepEqual(rawGit(gitDir, ['cat-file', '-t', oids[i] ?? '']).trim(), 'tree');
    }
    const pack = join(gitDir, 'objects/pack');
    const name = readdirSync(pack).find((one) => one.endsWith('.pack')) ?? '';
    const bytes = readFileSync(join(pack, name));
    bytes.write('g', bytes.indexOf('f000000'));
    rmSync(join(pack, name));
    writeFileSync(join(pack, name), bytes);
    await assert.rejects(openStoreReader(store, NOBODY).read(oids[0] as Oid), /git was asked/);
  }));

test('git is asked for what is large, absent, beyond a limit or a difference from another object', () =>
  inStore(async ({ gitDir, reader, write }) => {
    const [large, small] = await write(['x'.repeat(2 ** 20 + 1), 'small', 'a', 'b']);
    const absent = hashObject('blob', Buffer.from('absent'));
    for (const oid of [large, absent]) await assert.rejects(reader.read(oid as Oid), /git was asked/);
    await assert.rejects(reader.read(small as Oid, 3), /git was asked/);
    const alike = Array.from({ length: 8 }, (_, i) => `${'alike '.repeat(400)}${i}`);
    const oids = await write(alike);
    rawGit(gitDir, ['repack', '-a', '-d', '-f', '-q', '--keep-unreachable']);
    const reads = await Promise.allSettled(oids.map((oid) => reader.read(oid)));
    assert.ok(reads.some(({ status }) => status === 'rejected'));
  }));

test('what is damaged is left to git to tell', () =>
  inStore(async ({ gitDir, reader, write }) => {
    const packed = await write(texts(20));
    const [loose] = await write(['loose']);
    const pack = join(gitDir, 'objects/pack');
    const name = readdirSync(pack).find((one) => one.endsWith('.pack')) ?? '';
    rmSync(join(gitDir, 'objects', (loose ?? '').slice(0, 2), (loose ?? '').slice(2)));
    writeFileSync(join(gitDir, 'objects', (loose ?? '').slice(0, 2), (loose ?? '').slice(2)), 'scribble');
    await assert.rejects(reader.read(loose as Oid), /git was asked/);
    rmSync(join(pack, name));
    writeFileSync(join(pack, name), Buffer.alloc(4000, 0x35));
    for (const oid of packed) await assert.rejects(reader.read(oid), /git was asked/);
    truncateSync(join(pack, name), 5);
    for (const oid of packed) await assert.rejects(reader.read(oid), /git was asked/);
  }));
