import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mergeTree } from '../../server/git/merge-tree.ts';
import { readGit } from '../../server/git/stream.ts';
import { type ShadowPlace, shadowPlace } from '../support/shadow-place.ts';

function place(t: TestContext): ShadowPlace & { readonly apart: string } {
  const made = shadowPlace(t);
  const apart = join(made.folder, 'apart');
  mkdirSync(apart);
  return { ...made, apart };
}

test('changes that go together become one tree, written apart from the repository', async (t) => {
  const { apart, shadow, git, commit, gitDir } = place(t);
  const base = commit('base', { a: '1\n', b: '1\n' });
  const ours = commit('ours', { a: '2\n' });
  git('checkout', '-q', base);
  const theirs = commit('theirs', { b: '2\n' });
  const before = readdirSync(join(gitDir, 'objects')).length;
  const merged = await mergeTree(shadow, { ours, theirs, newObjects: apart });
  assert.ok(merged.kind === 'clean');
  const listing = await readGit(shadow, ['ls-tree', '-r', merged.tree], { newObjects: apart });
  assert.equal(listing.toString().split('\n').length, 3);
  assert.equal(readdirSync(join(gitDir, 'objects')).length, before);
});

test('changes that do not go together are named by path, odd names included', async (t) => {
  const { apart, shadow, git, commit } = place(t);
  const names = ['z', 'a\nb', '\xff'];
  const all = (content: string) => Object.fromEntries(names.map((name) => [name, content]));
  const base = commit('base', all('1\n'));
  const ours = commit('ours', all('2\n'));
  git('checkout', '-q', base);
  const theirs = commit('theirs', all('3\n'));
  assert.deepEqual(await mergeTree(shadow, { ours, theirs, newObjects: apart }), {
    kind: 'conflict',
    files: [...names].sort(),
  });
});

test('a merge driver that a tree asks for is not run', async (t) => {
  const { folder, root, apart, shadow, git, commit } = place(t);
  const marker = join(folder, 'ran');
  git('config', 'merge.x.driver', `touch ${marker}`);
  const base = commit('base', { '.gitattributes': '* merge=x\n', a: '1\n' });
  const ours = commit('ours', { a: '2\n' });
  git('checkout', '-q', base);
  const theirs = commit('theirs', { a: '3\n' });
  const { kind } = await mergeTree(shadow, { ours, theirs, newObjects: apart });
  assert.deepEqual([kind, existsSync(marker), existsSync(root)], ['conflict', false, true]);
});
