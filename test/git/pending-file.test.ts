import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { takeLock, tryLock } from '../../server/git/lock-file.ts';
import { PendingFile } from '../../server/git/pending-file.ts';
import { ensureRealFolder } from '../../server/git/real-folder.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('a pending file gets its name only when it is published, and is gone when it is dropped', async (t) => {
  const folder = scratchFolder(t);
  const file = new PendingFile(join(folder, 'a.lock'), 0o666);
  file.write(Buffer.from('0123456789'));
  file.writeAt(Buffer.from('ab'), 2);
  file.write(Buffer.from('!'));
  await file.sync();
  assert.ok(!existsSync(join(folder, 'a')));
  file.publish(join(folder, 'a'));
  file.drop();
  assert.equal(readFileSync(join(folder, 'a'), 'utf8'), '01ab456789!');
  const other = new PendingFile(join(folder, 'b.lock'), 0o666);
  other.drop();
  other.drop();
  assert.deepEqual(readdirSync(folder), ['a']);
});

test('a name that is taken is not taken twice, be it by a file or a link', (t) => {
  const folder = scratchFolder(t);
  writeFileSync(join(folder, 'file'), 'theirs');
  symlinkSync(join(folder, 'absent'), join(folder, 'link'));
  for (const name of ['file', 'link'])
    assert.throws(() => new PendingFile(join(folder, name), 0o666), { code: 'EEXIST' });
  assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'theirs');
});

test('a lock is one process’s at a time', async (t) => {
  const folder = scratchFolder(t);
  const path = join(folder, 'x.lock');
  const first = await takeLock(path, Date.now());
  assert.equal(await tryLock(path, Date.now() + 20), undefined);
  await assert.rejects(
    takeLock(path, Date.now()),
    (error) => isDevLoopError(error, 'vault_busy') && error.data.lock === path,
  );
  const second = takeLock(path, Date.now() + 10_000);
  first.drop();
  (await second).drop();
  await assert.rejects(takeLock(join(folder, 'absent/x.lock'), Date.now()), { code: 'ENOENT' });
});

test('a folder is made once, and nothing else is taken for one', (t) => {
  const folder = scratchFolder(t);
  assert.equal(ensureRealFolder(join(folder, 'a')), true);
  assert.equal(ensureRealFolder(join(folder, 'a')), false);
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'a'), join(folder, 'link'));
  for (const name of ['file', 'link']) {
    assert.throws(
      () => ensureRealFolder(join(folder, name)),
      (error) => isDevLoopError(error, 'path_refused'),
    );
  }
});

const FOLDERS = 400;
const MAKING = `
const { parentPort, workerData: { module, folder, turns, me } } = require('node:worker_threads');
import(module).then(({ ensureRealFolder }) => {
  const at = new Int32Array(turns);
  let made = 0;
  for (let i = 0; i < ${FOLDERS}; i++) {
    // Both come to the same folder at the same time.
    Atomics.store(at, me, i + 1);
    while (Atomics.load(at, 1 - me) < i + 1);
    if (ensureRealFolder(folder + '/' + i)) made++;
  }
  parentPort.postMessage(made);
});`;

test('threads that make the same folder at the same time both have it', async (t) => {
  const folder = scratchFolder(t);
  const module = pathToFileURL(join(import.meta.dirname, '../../server/git/real-folder.ts')).href;
  const turns = new SharedArrayBuffer(8);
  const workers = [0, 1].map((me) => new Worker(MAKING, { eval: true, workerData: { module, folder, turns, me } }));
  // One that fails leaves the other waiting.
  t.after(() => Promise.all(workers.map((worker) => worker.terminate())));
  const made = (await Promise.all(workers.map((worker) => once(worker, 'message')))).flat();
  assert.equal(made[0] + made[1], FOLDERS);
});
