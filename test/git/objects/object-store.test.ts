import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { type Oid, parseOid } from '../../../server/domain/ids.ts';
import { hashObject } from '../../../server/git/objects/object-id.ts';
import { openObjectStore } from '../../../server/git/objects/object-store.ts';
import { rawGit, rawRepository } from '../../support/raw-git.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

function repository(t: TestContext) {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  const objects = join(folder, '.git', 'objects');
  const blob = (text: string): Oid => parseOid(rawGit(folder, text)('hash-object', '-w', '--stdin'));
  const pack = (...oids: readonly Oid[]) => {
    rawGit(folder, oids.map((oid) => `${oid}\n`).join(''))('pack-objects', '-q', join(objects, 'pack', 'pack'));
    for (const oid of oids) rmSync(join(objects, oid.slice(0, 2), oid.slice(2)), { force: true });
  };
  return { git, objects, blob, pack, packs: () => readdirSync(join(objects, 'pack')) };
}

const ABSENT = parseOid('1'.repeat(40));

test('objects that git wrote are found, loose or in any of several packs', (t) => {
  const { objects, blob, pack } = repository(t);
  const loose = blob('loose');
  const [one, two, three] = [blob('one'), blob('two'), blob('three')];
  pack(one, two);
  pack(three);
  const store = openObjectStore(objects);
  assert.ok([loose, one, two, three].every((oid) => store.has(oid)));
  assert.equal(store.has(ABSENT), false);
});

test('a pack that came or went since is seen by refresh', (t) => {
  const { objects, blob, pack, packs } = repository(t);
  const one = blob('one');
  const store = openObjectStore(objects);
  assert.ok(store.has(one));
  pack(one);
  store.refresh();
  assert.ok(store.has(one));
  for (const name of packs()) rmSync(join(objects, 'pack', name));
  store.refresh();
  assert.equal(store.has(one), false);
});

test('an index without its pack, and a pack without its index, hold nothing', (t) => {
  const { objects, blob, pack, packs } = repository(t);
  const [one, two] = [blob('one'), blob('two')];
  pack(one);
  const pair = packs();
  for (const name of pair.filter((file) => file.endsWith('.pack')))
    renameSync(join(objects, 'pack', name), join(objects, 'pack', `${name}.away`));
  pack(two);
  const fresh = packs().filter((file) => file.endsWith('.idx') && !pair.includes(file));
  for (const name of fresh) rmSync(join(objects, 'pack', name));
  const store = openObjectStore(objects);
  assert.equal(store.has(one), false);
  assert.equal(store.has(two), false);
});

test('an index that was cut, or is none, holds nothing', (t) => {
  const { objects, blob, pack, packs } = repository(t);
  const one = blob('one');
  pack(one);
  const index = join(objects, 'pack', packs().find((name) => name.endsWith('.idx')) ?? '');
  rmSync(index);
  writeFileSync(index, 'x'.repeat(2000));
  assert.equal(openObjectStore(objects).has(one), false);
  truncateSync(index, 100);
  assert.equal(openObjectStore(objects).has(one), false);
});

test('a pack that was cut, emptied, written over or swapped for a link holds nothing, and its objects are absent', (t) => {
  const { objects, blob, pack, packs } = repository(t);
  const one = blob('one');
  pack(one);
  const file = join(objects, 'pack', packs().find((name) => name.endsWith('.pack')) ?? '');
  const whole = readFileSync(file);
  const end = whole.length - 1;
  const damages = [
    whole.subarray(0, end),
    whole.subarray(0, 5),
    Buffer.alloc(0),
    Buffer.alloc(whole.length, 'x'),
    Buffer.concat([Buffer.from('KCAP'), whole.subarray(4)]),
  ];
  for (const bytes of damages) {
    rmSync(file);
    writeFileSync(file, bytes);
    assert.equal(openObjectStore(objects).has(one), false);
  }
  rmSync(file);
  writeFileSync(join(objects, 'elsewhere'), whole);
  symlinkSync(join(objects, 'elsewhere'), file);
  assert.equal(openObjectStore(objects).has(one), false);
  renameSync(join(objects, 'elsewhere'), file);
  assert.ok(openObjectStore(objects).has(one));
});

test('a store whose folders are absent holds nothing', (t) => {
  const folder = scratchFolder(t);
  const store = openObjectStore(join(folder, 'absent'));
  assert.equal(store.has(ABSENT), false);
  mkdirSync(join(folder, 'absent/pack'), { recursive: true });
  store.refresh();
  assert.equal(store.has(ABSENT), false);
});

test('ids are git’s own, for small contents and for those above a megabyte', (t) => {
  const folder = scratchFolder(t);
  for (const length of [0, 1, 1_048_576, 1_048_577, 3_000_000]) {
    const content = Buffer.alloc(length, 'content ');
    assert.equal(hashObject('blob', content), rawGit(folder, content)('hash-object', '--stdin'));
  }
});
