import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseOid } from '../../server/domain/ids.ts';
import { packOf } from '../../server/git/bundle.ts';
import { useSearchPath } from '../../server/git/environment.ts';
import { importPack } from '../../server/git/import-pack.ts';
import { rawGit, rawGitBytes } from '../support/raw-git.ts';
import { type ShadowPlace, shadowPlace } from '../support/shadow-place.ts';

const DISLIKED = {
  '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = -u./x\n\tupdate = !touch x\n',
  '.gitattributes': `${'a'.repeat(5_000)} text\n`,
  'below/.gitmodules/f': 'a folder',
};

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

test('objects whose needs are not met are refused, and taken once they are', async (t) => {
  const { shadow, commit, other } = place(t);
  const first = commit('a', { f: '1', 'd/same': 'x' });
  const second = commit('b', { g: '2' });
  const later = () => importPack(other, packOf(shadow, { want: [second], have: [first] }));
  await assert.rejects(later(), isDevLoopError);
  await importPack(other, packOf(shadow, { want: [first] }));
  await later();
  assert.equal(rawGit(other)('fsck', '--strict', second), '');
});

test('files that git does not like are taken: anybody may write them', async (t) => {
  const { shadow, commit, other } = place(t);
  const head = commit('a', DISLIKED);
  await importPack(other, packOf(shadow, { want: [head] }));
  assert.equal(rawGit(other)('show', `${head}:.gitmodules`), DISLIKED['.gitmodules'].trim());
});

test('an object that cannot be read is refused', async (t) => {
  const { shadow, commit, other, git } = place(t);
  commit('a', { f: '1' });
  const tree = rawGit(shadow, '100644 f\0short')('hash-object', '-t', 'tree', '-w', '--literally', '--stdin');
  const head = parseOid(git('commit-tree', '-m', 'x', tree));
  const pack = rawGitBytes(shadow, `${head}\n${tree}\n`)('pack-objects', '--stdout', '-q');
  await assert.rejects(importPack(other, Readable.from([pack], { objectMode: false })), isDevLoopError);
});

test('a pipe in the place of an object holds nobody up, and is named', async (t) => {
  const { shadow, commit, other } = place(t);
  const head = commit('a', { f: '1' });
  const name = `objects/${head.slice(0, 2)}/${head.slice(2)}`;
  mkdirSync(join(other, 'objects', head.slice(0, 2)));
  execFileSync('mkfifo', [join(other, name)]);
  await assert.rejects(importPack(other, packOf(shadow, { want: [head] })), (error) => {
    return isDevLoopError(error, 'vault_tampered') && error.message.includes(name);
  });
});

test('a git that is silent for too long is ended, also where nothing but its end is to come', async (t) => {
  const { shadow, commit, other } = place(t);
  const head = commit('a', { f: '1' });
  const bin = join(shadow, '../slow');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\ncat > /dev/null\nexec sleep 60\n', { mode: 0o755 });
  const pack = Buffer.concat(await packOf(shadow, { want: [head] }).toArray());
  useSearchPath(`${bin}:/usr/local/bin:/usr/bin:/bin`);
  t.after(() => useSearchPath('/usr/local/bin:/usr/bin:/bin'));
  const late = importPack(other, Readable.from([pack], { objectMode: false }), { idle_ms: 300 });
  await assert.rejects(late, (error) => isDevLoopError(error, 'timeout'));
});
