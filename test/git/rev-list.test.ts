import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { commitsBetween, reachableObjects, revList } from '../../server/git/rev-list.ts';
import { rawGit } from '../support/raw-git.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('commits are listed newest first, with a limit and some passed over', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const [a, b, c] = [commit('a'), commit('b'), commit('c')];
  assert.deepEqual(await revList(shadow, c, { limit: 10 }), [c, b, a]);
  assert.deepEqual(await revList(shadow, c, { limit: 1, skip: 1 }), [b]);
  assert.deepEqual(await revList(shadow, c, { limit: 10, skip: 5 }), []);
});

test('commits on the way from one to another are listed oldest first, or only those that changed a path', async (t) => {
  const { shadow, git, commit } = shadowPlace(t);
  const [a, b, c] = [commit('a', { x: '1' }), commit('b', { y: '1' }), commit('c', { 'd/*': '2' })];
  assert.deepEqual(await commitsBetween(shadow, { good: a, bad: c }), { kind: 'between', commits: [b, c] });
  const path = bytePathFromLatin1('d/*');
  assert.deepEqual(await commitsBetween(shadow, { good: a, bad: c, path }), { kind: 'between', commits: [c] });
  git('checkout', '-q', a);
  const other = commit('other');
  assert.deepEqual(await commitsBetween(shadow, { good: other, bad: c }), { kind: 'unrelated' });
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
