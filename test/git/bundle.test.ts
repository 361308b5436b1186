import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { bundleOf, packOf } from '../../server/git/bundle.ts';
import { rawGit } from '../support/raw-git.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('a bundle can be cloned and holds the refs that were named, and no others', async (t) => {
  const { folder, shadow, git, commit, oid } = shadowPlace(t);
  const first = commit('a', { a: '1' });
  const head = commit('b', { a: '2' });
  git('tag', '-am', 'one', 'v1', first);
  git('update-ref', 'refs/devloop/rescue/x', first);
  const refs = new Map([
    ['HEAD', head],
    ['refs/heads/main', head],
    ['refs/tags/v1', oid('v1')],
  ]);
  writeFileSync(join(folder, 'x.bundle'), Buffer.concat(await bundleOf(shadow, refs).toArray()));
  const outside = rawGit(folder);
  outside('clone', '-q', 'x.bundle', 'clone');
  git('bundle', 'verify', '../x.bundle');
  const clone = rawGit(join(folder, 'clone'));
  assert.equal(clone('rev-parse', 'HEAD'), head);
  assert.equal(clone('rev-parse', 'v1^{commit}'), first);
  assert.equal(clone('for-each-ref', '--format=%(refname)', 'refs/devloop'), '');
  clone('fsck', '--strict');
});

test('a bundle of a repository with a hole breaks off with an error', async (t) => {
  const { gitDir, shadow, commit } = shadowPlace(t);
  const head = commit('a', { a: '1' });
  rmSync(join(gitDir, 'objects', head.slice(0, 2)), { recursive: true });
  const stream = bundleOf(shadow, new Map([['refs/heads/main', head]]));
  await assert.rejects(stream.toArray(), (error) => isDevLoopError(error, 'vault_damaged', 'git_failed'));
});

test('a pack leaves out what the other side has', async (t) => {
  const { folder, shadow, commit } = shadowPlace(t);
  const first = commit('a', { a: '1', b: '2' });
  const head = commit('b', { a: '3' });
  const all = Buffer.concat(await packOf(shadow, { want: [head] }).toArray());
  const some = Buffer.concat(await packOf(shadow, { want: [head], have: [first] }).toArray());
  assert.deepEqual([all.readUInt32BE(8), some.readUInt32BE(8)], [7, 3]);
  writeFileSync(join(folder, 'all.pack'), all);
  rawGit(folder)('index-pack', '--strict', 'all.pack');
});
