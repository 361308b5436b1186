import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { parseOid } from '../../../server/domain/ids.ts';
import { hashObject } from '../../../server/git/objects/object-id.ts';
import { openObjectStore } from '../../../server/git/objects/object-store.ts';
import { openObjectWriter } from '../../../server/git/objects/object-writer.ts';
import { PendingFile } from '../../../server/git/pending-file.ts';
import { generatedTree } from '../../support/arbitrary-tree.ts';
import { rawGitBytes, rawRepository } from '../../support/raw-git.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writeTreeObjects } from '../../support/write-tree-objects.ts';

function repository(t: TestContext) {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  const objects = join(folder, '.git', 'objects');
  return {
    folder,
    git,
    objects,
    store: openObjectStore(objects),
    packs: () => readdirSync(join(objects, 'pack')).sort(),
  };
}

const blobs = (count: number, text = 'blob') => Array.from({ length: count }, (_, i) => Buffer.from(`${text} ${i}\n`));

test('generated trees are whole to git, and hold the very bytes', async (t) => {
  const { folder, git, store } = repository(t);
  await fc.assert(
    fc.asyncProperty(generatedTree, async (files) => {
      const writer = openObjectWriter(store, { durable: false });
      const root = writeTreeObjects(writer, files);
      await writer.finish();
      const listed = rawGitBytes(folder)('ls-tree', '-r', '-z', root).toString('latin1');
      const expected = files
        .map((file) => `${file.mode} blob ${hashObject('blob', file.content)}\t${file.path}\0`)
        .sort((a, b) => (a.slice(53) < b.slice(53) ? -1 : 1));
      assert.equal(listed, expected.join(''));
    }),
    { numRuns: 25 },
  );
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
});

test('one object becomes a loose file, more become one pack that git verifies', async (t) => {
  const { git, store, packs } = repository(t);
  for (const [count, expected] of [
    [1, 0],
    [2, 2],
  ] as const) {
    const writer = openObjectWriter(store, { durable: true });
    for (const content of blobs(count, `of ${count}`)) writer.write('blob', content);
    await writer.finish();
    assert.equal(packs().length, expected);
  }
  assert.match(git('count-objects', '-v'), /count: 1\n.*in-pack: 2\npacks: 1\n.*garbage: 0/s);
  git('verify-pack', join('.git/objects/pack', packs()[0] ?? ''));
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
});

test('a pack of many chunks, large contents and every kind is sound', async (t) => {
  const { folder, git, store, packs } = repository(t);
  const writer = openObjectWriter(store, { durable: true });
  const large = Buffer.alloc(3_000_000, 'incompressible? no\n');
  const noise = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * i * 31) % 251));
  const kept = [...blobs(5000), large, noise, Buffer.alloc(0)].map((content) => ({
    content,
    oid: writer.write('blob', content),
  }));
  await writer.finish();
  assert.equal(packs().length, 2);
  git('verify-pack', join('.git/objects/pack', packs()[0] ?? ''));
  for (const { content, oid } of kept.slice(-3))
    assert.ok(rawGitBytes(folder)('cat-file', 'blob', oid).equals(content));
  assert.ok(kept.every(({ oid }) => store.has(oid) && openObjectStore(store.dir).has(oid)));
});

test('a buffer can be used for the next object as soon as one was taken', async (t) => {
  for (const count of [1, 2, 400]) {
    const { folder, git, store } = repository(t);
    const writer = openObjectWriter(store, { durable: false });
    const scratch = Buffer.alloc(9000);
    const oids = Array.from({ length: count }, (_, i) => writer.write('blob', scratch.fill(`object ${i}\n`)));
    scratch.fill(0);
    await writer.finish();
    for (const [i, oid] of oids.entries()) {
      assert.ok(rawGitBytes(folder)('cat-file', 'blob', oid).equals(Buffer.alloc(9000, `object ${i}\n`)));
      if (i > 5) break;
    }
    assert.equal(git('fsck', '--strict', '--no-dangling'), '');
  }
});

test('what the store has is not written again, be it loose, packed by us or packed by git', async (t) => {
  const { git, store, objects, packs } = repository(t);
  const [loose = Buffer.alloc(0), ...many] = blobs(9);
  const first = openObjectWriter(store, { durable: false });
  first.write('blob', loose);
  await first.finish();
  const second = openObjectWriter(store, { durable: false });
  for (const content of [loose, ...many]) second.write('blob', content);
  await second.finish();
  const before = packs();
  const third = openObjectWriter(store, { durable: false });
  for (const content of [loose, ...many]) third.write('blob', content);
  await third.finish();
  assert.deepEqual(packs(), before);
  assert.equal(git('count-objects', '-v').match(/in-pack: (\d+)/)?.[1], '8');

  const oid = parseOid(git('commit-tree', '-m', 'x', git('write-tree')));
  assert.ok(store.has(oid));
  git('update-ref', 'refs/heads/main', oid);
  git('repack', '-q', '-a', '-d');
  git('prune-packed');
  store.refresh();
  assert.ok(store.has(oid));
  assert.ok(!existsSync(join(objects, oid.slice(0, 2), oid.slice(2))));
});

test('a pack that was taken away is not counted on by the next writer', async (t) => {
  const { store, objects, packs } = repository(t);
  const write = async () => {
    const writer = openObjectWriter(store, { durable: false });
    const oids = blobs(5).map((content) => writer.write('blob', content));
    await writer.finish();
    return oids;
  };
  const [oid] = await write();
  for (const name of packs()) rmSync(join(objects, 'pack', name));
  await write();
  assert.ok(oid && openObjectStore(objects).has(oid));
  assert.equal(packs().length, 2);
});

test('an empty loose file, as a power cut leaves it, is written anew', async (t) => {
  const { git, store, objects } = repository(t);
  const content = Buffer.from('kept\n');
  const write = async () => {
    const writer = openObjectWriter(store, { durable: true });
    const oid = writer.write('blob', content);
    await writer.finish();
    return oid;
  };
  const oid = await write();
  const path = join(objects, oid.slice(0, 2), oid.slice(2));
  rmSync(path);
  writeFileSync(path, '');
  assert.ok(!store.has(oid));
  await write();
  assert.equal(git('cat-file', 'blob', oid), 'kept');
});

test('nothing is there before finish, and nothing is left after abort', async (t) => {
  const { store, objects, packs } = repository(t);
  const writer = openObjectWriter(store, { durable: true });
  const large = Buffer.alloc(400_000, 'x');
  const oids = [...blobs(10), large].map((content) => writer.write('blob', content));
  assert.ok(oids.every((oid) => !store.has(oid)));
  await writer.abort();
  assert.deepEqual(packs(), []);
  assert.deepEqual(readdirSync(objects).sort(), ['info', 'pack']);
});

test('temp files of a writer that is gone are swept, those of one that lives are not', async (t) => {
  const { objects, folder } = repository(t);
  const { sweepTempFiles } = await import('../../../server/git/objects/temp-files.ts');
  const dead = 0x3ffffff;
  const hex = 'ab'.repeat(6);
  const names = {
    gone: `tmp_pack_devloop-${dead}-${hex}`,
    lives: `tmp_idx_devloop-${process.pid}-${hex}`,
    old: `tmp_pack_devloop-${process.pid}-${hex}`,
    git: 'tmp_pack_Ab12Cd',
  };
  for (const name of Object.values(names)) writeFileSync(join(objects, 'pack', name), 'x');
  writeFileSync(join(objects, `tmp_obj_devloop-${dead}-${hex}`), 'x');
  const yesterday = new Date(Date.now() - 86_400_000);
  utimesSync(join(objects, 'pack', names.old), yesterday, yesterday);
  assert.equal(sweepTempFiles(objects), 3);
  assert.deepEqual(readdirSync(join(objects, 'pack')).sort(), [names.git, names.lives].sort());
  assert.equal(sweepTempFiles(join(folder, 'absent')), 0);
});

test('objects cannot be changed by mistake: their files are read-only', async (t) => {
  const { store, objects, packs } = repository(t);
  const writer = openObjectWriter(store, { durable: false });
  for (const content of blobs(5)) writer.write('blob', content);
  await writer.finish();
  for (const name of packs()) assert.equal(statSync(join(objects, 'pack', name)).mode & 0o222, 0);
});

test('a pack that the disk has no room for leaves no file and no descriptor', async (t) => {
  const { store, packs } = repository(t);
  const writer = openObjectWriter(store, { durable: true });
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  t.mock.method(PendingFile.prototype, 'write', () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  });
  for (const blob of blobs(2, 'no room')) writer.write('blob', blob);
  await assert.rejects(writer.prepare(), { code: 'ENOSPC' });
  await writer.abort();
  assert.deepEqual([packs(), open()], [[], before]);
});
