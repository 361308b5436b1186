import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BisectVerdict } from '../../../server/domain/bisect-step.ts';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { bisect } from '../../../server/vault/bisect/bisect.ts';
import { vaultUnderTest } from '../../support/vault-under-test.ts';

/** A folder is bad once its file says 5 or more. */
const check = async (folder: string): Promise<BisectVerdict> =>
  Number(readFileSync(join(folder, 'f'), 'utf8')) >= 5 ? 'bad' : 'good';

test('the first bad commit is found, each candidate in a folder of its own that is gone afterwards', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  const commits = Array.from({ length: 10 }, (_, i) => commit(`c${i}`, { f: `${i}` }));
  const folders: string[] = [];
  const found = await bisect(vault(), {
    good: commits[0] ?? '',
    bad: 'HEAD',
    check: (folder) => {
      folders.push(folder);
      return check(folder);
    },
  });
  assert.deepEqual([found.first_bad.sha, found.unsure], [commits[5], []]);
  assert.ok(found.tried.length <= 6);
  assert.equal(new Set(folders).size, folders.length);
  assert.deepEqual(
    folders.filter((folder) => existsSync(folder)),
    [],
  );
  assert.deepEqual(
    readdirSync(vault().state).filter((name) => name.startsWith('bisect-')),
    [],
  );
});

test('only commits that changed a path are tried where one is named', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  const good = commit('good', { f: '1' });
  commit('other', { g: '1' });
  const first = commit('bad', { f: '7' });
  commit('other', { g: '2' });
  const { first_bad, tried } = await bisect(vault(), { good, bad: 'HEAD', path: bytePathFromText('f'), check });
  assert.deepEqual([first_bad.sha, tried.length], [first, 2]);
});

test('ends that are not what they are said to be are refused', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  const [a, b, c] = [commit('a', { f: '1' }), commit('b', { f: '2' }), commit('c', { f: '9' })];
  for (const [good, bad] of [
    [a, b],
    [c, c],
    [c, a],
  ] as const) {
    await assert.rejects(bisect(vault(), { good, bad, check }), (error) => isDevLoopError(error, 'conflict'));
  }
});

test('the folder holds the files as they were committed, links not followed', async (t) => {
  const { commit, root, vault } = vaultUnderTest(t);
  const good = commit('a', { f: '1' });
  symlinkSync('/etc/hostname', join(root, 'link'));
  commit('b', { f: '9', 'd/e\n': 'x', 'latin\xe9': 'y' });
  await bisect(vault(), {
    good,
    bad: 'HEAD',
    check: async (folder) => {
      const verdict = await check(folder);
      if (verdict === 'bad') {
        assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink());
        assert.equal(readFileSync(join(folder, 'd/e\n'), 'utf8'), 'x');
        assert.ok(existsSync(Buffer.from(`${folder}/latin\xe9`, 'latin1')));
        assert.ok(!existsSync(join(folder, '.git')));
      }
      return verdict;
    },
  });
});

test('a search that is given up stops, and leaves no folder', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  const commits = [commit('a', { f: '1' }), commit('b', { f: '2' }), commit('c', { f: '9' })];
  const stop = new AbortController();
  const search = bisect(vault(), {
    good: commits[0] ?? '',
    bad: 'HEAD',
    signal: stop.signal,
    check: async (folder) => {
      stop.abort();
      return check(folder);
    },
  });
  await assert.rejects(search, { name: 'AbortError' });
  assert.deepEqual(
    readdirSync(vault().state).filter((name) => name.startsWith('bisect-')),
    [],
  );
});
