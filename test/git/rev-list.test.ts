import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromLatin1, bytePathFromText } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { reachableObjects, revList } from '../../server/git/rev-list.ts';
import { rawGit } from '../support/raw-git.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('commits are listed newest first, with a limit and some passed over', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const [a, b, c] = [commit('a'), commit('b'), commit('c')];
  assert.deepEqual(await revList(shadow, c, { limit: 10 }), [c, b, a]);
  assert.deepEqual(await revList(shadow, c, { limit: 1, skip: 1 }), [b]);
  assert.deepEqual(await revList(shadow, c, { limit: 10, skip: 5 }), []);
});

test('a text to look for is plain text, whatever signs it has', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const dots = commit('code(api): retry → green · attempt 2 [.*]');
  const head = commit('code(apiX: other');
  assert.deepEqual(await revList(shadow, head, { limit: 10, grep: '[.*]' }), [dots]);
  assert.deepEqual(await revList(shadow, head, { limit: 10, grep: 'CODE(API):' }), [dots]);
  assert.deepEqual(await revList(shadow, head, { limit: 10, grep: '→ green' }), [dots]);
  assert.deepEqual(await revList(shadow, head, { limit: 10, grep: '--output=/tmp/x' }), []);
  assert.deepEqual(await revList(shadow, head, { limit: 10, grep: 'code', author: 'person@' }), [head, dots]);
  assert.deepEqual(await revList(shadow, head, { limit: 10, grep: 'code', author: 'nobody' }), []);
});

test('since leaves older commits out', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const head = commit('a');
  assert.deepEqual(await revList(shadow, head, { limit: 1, since: new Date('2026-01-02T03:04:05Z') }), [head]);
  assert.deepEqual(await revList(shadow, head, { limit: 1, since: new Date('2026-01-02T03:04:06Z') }), []);
});

test('a path is a file or a folder, and its name is taken literally', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const star = commit('star', { 'd/*.txt': 'x' });
  const other = commit('other', { 'd/a.txt': 'x' });
  const magic = commit('magic', { ':(top)x': 'x' });
  const newline = commit('newline', { 'n\nn/f': 'x' });
  const umlaut = commit('umlaut', { [bytePathFromText('ü/日本')]: 'x' });
  const bytes = commit('bytes', { 'b/\xff\xfe[x]?/f': 'x' });
  const near = commit('near', { 'b/\xffz/f': 'x' });
  const find = (path: string): Promise<readonly string[]> =>
    revList(shadow, near, { limit: 10, path: bytePathFromLatin1(path) });
  assert.deepEqual(await find('d/*.txt'), [star]);
  assert.deepEqual(await find('d'), [other, star]);
  assert.deepEqual(await find(':(top)x'), [magic]);
  assert.deepEqual(await find('n\nn'), [newline]);
  assert.deepEqual(await find(bytePathFromText('ü')), [umlaut]);
  assert.deepEqual(await find('b/\xff\xfe[x]?/f'), [bytes]);
  assert.deepEqual(await find('b/\xff\xfe[x]?'), [bytes]);
  assert.deepEqual(await find('none'), []);
});

test('the objects that a commit reaches are the ones that git counts', async (t) => {
  const { root, shadow, commit } = shadowPlace(t);
  const first = commit('a', { a: '1', 'd/b': '2' });
  const head = commit('b', { a: '3' });
  const expected = rawGit(root)('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
  assert.deepEqual([...(await reachableObjects(shadow, [head]))].sort(), expected.sort());
  assert.equal((await reachableObjects(shadow, [head], { not: [first] })).length, 3);
  assert.deepEqual(await reachableObjects(shadow, []), []);
});

test('a history with a hole is an error, not a shorter list', async (t) => {
  const { gitDir, shadow, commit } = shadowPlace(t);
  const first = commit('a');
  const head = commit('b');
  rmSync(join(gitDir, 'objects', first.slice(0, 2), first.slice(2)));
  await assert.rejects(revList(shadow, head, { limit: 10 }), (error) => isDevLoopError(error, 'vault_damaged'));
});

test('refs that hang, or are named like an id, are not looked at', async (t) => {
  const { gitDir, shadow, commit, git } = shadowPlace(t);
  const [first, head] = [commit('a'), commit('b')];
  git('update-ref', `refs/heads/${head}`, first);
  execFileSync('mkfifo', [join(gitDir, 'packed-refs')]);
  assert.deepEqual(await revList(shadow, head, { limit: 1 }), [head]);
});
