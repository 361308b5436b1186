import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Oid } from '../../server/domain/ids.ts';
import { fsck } from '../../server/git/fsck.ts';
import { readGit } from '../../server/git/stream.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('a sound repository has no findings, whatever lies in it unneeded', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const head = commit('a', { a: '1' });
  await readGit(shadow, ['hash-object', '-w', '--stdin'], { stdin: 'unneeded' });
  assert.deepEqual(await fsck(shadow, [head]), []);
});

test('a missing object, a swapped one and a tree with a name that may not be are each found', async (t) => {
  const { gitDir, shadow, commit, oid } = shadowPlace(t);
  const head = commit('a', { a: '1', b: '2', c: '3' });
  const file = (id: Oid): string => join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
  rmSync(file(oid('HEAD:a')));
  assert.match((await fsck(shadow, [head])).join('\n'), /missing blob/);
  chmodSync(file(oid('HEAD:b')), 0o644);
  copyFileSync(file(oid('HEAD:c')), file(oid('HEAD:b')));
  assert.match((await fsck(shadow, [head])).join('\n'), /hash mismatch|hash-path mismatch/);
});

test('a warning of git is a finding', async (t) => {
  const { shadow, commit, oid } = shadowPlace(t);
  commit('a', { a: '1' });
  const blob = Buffer.from(oid('HEAD:a'), 'hex');
  const tree = (
    await readGit(shadow, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
      stdin: Buffer.concat([Buffer.from('100644 ..\0'), blob]),
    })
  )
    .toString()
    .trim();
  const bad = (await readGit(shadow, ['commit-tree', tree], { stdin: 'x', config: ['user.name=a', 'user.email=a@b'] }))
    .toString()
    .trim() as Oid;
  assert.match((await fsck(shadow, [bad])).join('\n'), /\.\./);
});

test('heads that do not exist are findings, not a sound repository', async (t) => {
  const { shadow } = shadowPlace(t);
  assert.notDeepEqual(await fsck(shadow, ['1'.repeat(40) as Oid]), []);
});
