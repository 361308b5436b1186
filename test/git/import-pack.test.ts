import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { packOf } from '../../server/git/bundle.ts';
import { importPack } from '../../server/git/import-pack.ts';
import { rawGit } from '../support/raw-git.ts';
import { type ShadowPlace, shadowPlace } from '../support/shadow-place.ts';

function place(t: TestContext): ShadowPlace & { readonly other: string } {
  const made = shadowPlace(t);
  const other = join(made.folder, 'other.git');
  mkdirSync(other);
  rawGit(other)('init', '-q', '--bare');
  return { ...made, other };
}

test('a pack goes from one repository to another, time after time', async (t) => {
  const { shadow, commit, other } = place(t);
  let have: readonly ReturnType<typeof commit>[] = [];
  for (let i = 0; i < 12; i++) {
    const head = commit(`c${i}`, { f: `${i}` });
    await importPack(other, packOf(shadow, { want: [head], have, quick: i % 2 === 0 }));
    have = [head];
  }
  assert.equal(rawGit(other)('rev-list', '--count', have[0] ?? ''), '12');
});

test('a pack that breaks off, or is none, leaves nothing behind that can be read', async (t) => {
  const { shadow, commit, other } = place(t);
  const head = commit('a', { f: 'x'.repeat(10_000) });
  const pack = Buffer.concat(await packOf(shadow, { want: [head] }).toArray());
  const failing = Readable.from(
    (async function* () {
      yield pack.subarray(0, 50);
      throw new Error('broke off');
    })(),
    { objectMode: false },
  );
  await assert.rejects(importPack(other, failing), /broke off/);
  for (const bytes of [pack.subarray(0, 100), Buffer.from('no pack'), Buffer.alloc(0)]) {
    await assert.rejects(importPack(other, Readable.from([bytes], { objectMode: false })), (error) =>
      isDevLoopError(error),
    );
  }
  assert.throws(() => rawGit(other)('cat-file', '-t', head));
});

test('objects whose needs are not met are refused', async (t) => {
  const { shadow, commit, other } = place(t);
  const first = commit('a', { f: '1' });
  const second = commit('b', { g: '2' });
  await assert.rejects(importPack(other, packOf(shadow, { want: [second], have: [first] })), (error) =>
    isDevLoopError(error),
  );
});
