import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { parseOid, ZERO_OID } from '../../../server/domain/ids.ts';
import { encodeNote } from '../../../server/git/ahead/ahead-note.ts';
import { WriteAhead } from '../../../server/git/ahead/write-ahead.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const OID = parseOid('1'.repeat(40));
const note = (n: number, bytes = 10) => ({
  n,
  updates: [{ ref: 'refs/heads/main', old: ZERO_OID, new: OID }],
  files: [{ path: `pack/pack-${'0'.repeat(40)}.pack`, bytes: Buffer.alloc(bytes, n) }],
});

function notesIn(t: TestContext) {
  const folder = join(scratchFolder(t), 'ahead');
  return { folder, open: (isKnown = (_: string) => true) => new WriteAhead(folder, isKnown) };
}

/** Work on its way that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, resolve };
}

test('a note is there for the next process until its work is done', async (t) => {
  const { open } = notesIn(t);
  const own = open().of('a');
  const kept = await own.keep(note(1));
  assert.equal(open().of('a').left?.n, 1);
  assert.equal(open().of('b').left, undefined);
  const { run, resolve } = work();
  kept?.settle(run);
  assert.equal(own.left, undefined);
  assert.equal(open().of('a').left?.n, 1);
  resolve();
  await own.settling;
  assert.equal(own.settling, undefined);
  assert.equal(open().of('a').left, undefined);
});

test('a note whose work failed is left to be redone, and then forgotten', async (t) => {
  const { open } = notesIn(t);
  const own = open().of('a');
  (await own.keep(note(1)))?.settle(() => Promise.reject(new Error('no disk')));
  await own.settling;
  assert.equal(own.left?.n, 1);
  own.forgetLeft();
  assert.equal(own.left, undefined);
  assert.equal(open().of('a').left, undefined);
});

test('a note that was revoked is none', async (t) => {
  const { open } = notesIn(t);
  await (await open().of('a').keep(note(1)))?.revoke();
  assert.equal(open().of('a').left, undefined);
});

test('a file is used again, and keeps its length', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  for (const n of [1, 2, 3]) {
    (await notes.of('a').keep(note(n, 1000 * n)))?.settle(async () => {});
    await notes.of('a').settling;
  }
  assert.deepEqual(readdirSync(folder), ['0.bin']);
  assert.equal(statSync(join(folder, '0.bin')).size, 256 * 1024);
});

test('where all files are in use, or a note is too large, there is no room', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  assert.equal(await notes.of('a').keep(note(1, 256 * 1024)), undefined);
  const kept = await Promise.all(Array.from({ length: 8 }, (_, i) => notes.of(`o${i}`).keep(note(i))));
  assert.ok(kept.every((one) => one !== undefined));
  assert.equal(readdirSync(folder).length, 8);
  assert.equal(await notes.of('more').keep(note(1)), undefined);
  await kept[3]?.revoke();
  assert.notEqual(await notes.of('more').keep(note(1)), undefined);
});

test('of two notes of one owner, and of one of somebody who is gone, only what can be unfinished is left', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  (await notes.of('a').keep(note(1)))?.leave();
  await notes.of('b').keep(note(5));
  const first = readFileSync(join(folder, '0.bin'));
  notes.of('a').forgetLeft();
  await notes.of('a').keep(note(2));
  writeFileSync(join(folder, '2.bin'), first);
  const next = open((owner) => owner === 'a');
  assert.equal(next.of('a').left?.n, 2);
  assert.equal(next.of('b').left, undefined);
  const again = open();
  assert.equal(again.of('b').left, undefined);
  assert.equal(again.of('a').left?.n, 2);
});

test('a file or a folder that is gone is made anew', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  await (await notes.of('a').keep(note(1)))?.revoke();
  rmSync(join(folder, '0.bin'));
  await (await notes.of('a').keep(note(2)))?.revoke();
  rmSync(folder, { recursive: true });
  await notes.of('a').keep(note(3));
  assert.equal(open().of('a').left?.n, 3);
});

test('what somebody else put into the place of a note is named, not followed, and does not hide what is on its way', async (t) => {
  const { folder, open } = notesIn(t);
  const target = join(folder, '../target');
  for (const put of [
    (path: string) => symlinkSync(target, path),
    (path: string) => mkdirSync(path),
    (path: string) => execFileSync('mkfifo', [path]),
  ]) {
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(target, 'mine');
    const notes = open();
    const own = notes.of('a');
    await (await own.keep(note(1)))?.revoke();
    rmSync(join(folder, '0.bin'));
    put(join(folder, '0.bin'));
    assert.throws(() => open().of('a').left, { code: 'vault_damaged', message: /0\.bin/ });
    assert.equal(open().of('a').settling, undefined);
    await assert.rejects(own.keep(note(2)), { code: 'vault_damaged', message: /0\.bin/ });
    rmSync(join(folder, '0.bin'), { recursive: true });
    const { run, resolve } = work();
    (await own.keep(note(3)))?.settle(run);
    assert.notEqual(own.settling, undefined);
    resolve();
    await own.settling;
    assert.equal(readFileSync(target, 'utf8'), 'mine');
  }
});

test('a note that is whole and cannot be read is named: it may be of a newer version', (t) => {
  const { folder, open } = notesIn(t);
  mkdirSync(folder);
  writeFileSync(
    join(folder, '3.bin'),
    encodeNote({ ...note(1), owner: 'a', files: [{ path: '../x', bytes: Buffer.alloc(1) }] }),
  );
  assert.throws(() => open().of('b').left, { code: 'vault_damaged', message: /3\.bin.*cannot read/s });
});

test('a file that a failed make has left is no hindrance', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  assert.equal(notes.of('a').left, undefined);
  mkdirSync(folder);
  writeFileSync(join(folder, '0.bin'), 'a part');
  await notes.of('a').keep(note(1));
  assert.equal(open().of('a').left?.n, 1);
  assert.deepEqual(readdirSync(folder), ['0.bin']);
});

test('a note is revoked whatever has become of its name', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  const kept = await notes.of('a').keep(note(1));
  renameSync(folder, `${folder}.aside`);
  await kept?.revoke();
  renameSync(`${folder}.aside`, folder);
  assert.equal(open().of('a').left, undefined);
});

test('a folder of notes that cannot be one is an error with its name', async (t) => {
  const { folder, open } = notesIn(t);
  const notes = open();
  assert.equal(notes.of('a').left, undefined);
  writeFileSync(folder, '');
  await assert.rejects(notes.of('a').keep(note(2)));
  assert.throws(() => open().of('a').left, { code: 'vault_damaged', message: /ahead/ });
});
