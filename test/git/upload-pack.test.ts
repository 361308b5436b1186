import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { uploadPack } from '../../server/git/upload-pack.ts';
import { shadowPlace } from '../support/shadow-place.ts';

const signal = AbortSignal.timeout(60_000);

test('main and the tags are offered, no other branch, attempt or note, and nobody gets one by its id', async (t) => {
  const { shadow, git, commit, oid } = shadowPlace(t);
  commit('a', { a: '1' });
  git('tag', 'v1');
  for (const ref of ['refs/heads/other', 'refs/devloop/attempts/a/1/1', 'refs/notes/x', 'refs/tagsx/y'])
    git('update-ref', ref, git('commit-tree', '-m', ref, 'HEAD^{tree}'));
  const stream = uploadPack(shadow, { kind: 'advertise', signal });
  const text = Buffer.concat(await stream.toArray()).toString();
  assert.deepEqual(
    text.split('\n').flatMap((line) => /^[0-9a-f]{44} ([^\0]+)/.exec(line)?.[1] ?? []),
    ['HEAD', 'refs/heads/main', 'refs/tags/v1'],
  );
  const packed = async (wanted: string): Promise<Buffer> => {
    const body = Buffer.from(`0032want ${wanted}\n00000009done\n`);
    return Buffer.concat(await uploadPack(shadow, { kind: 'exchange', body, signal }).toArray());
  };
  assert.match((await packed(oid('v1'))).toString('latin1'), /^0008NAK\nPACK/);
  await assert.rejects(packed(oid('other')), (error) => isDevLoopError(error, 'git_failed'));
});
