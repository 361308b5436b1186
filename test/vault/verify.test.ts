import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verify } from '../../server/vault/verify.ts';
import { vaultUnderTest } from '../support/vault-under-test.ts';

test('a sound project has no problems, a person’s own branch included', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  const open = vault();
  git('branch', 'mine');
  assert.deepEqual(await verify(open), { problems: [] });
});

test('a moved ref and a missing object are each named', async (t) => {
  const { commit, git, oid, gitDir, vault } = vaultUnderTest(t);
  const first = commit('a', { f: '1' });
  commit('b');
  const open = vault();
  git('update-ref', 'refs/heads/main', first);
  const blob = oid('HEAD:f');
  rmSync(join(gitDir, 'objects', blob.slice(0, 2), blob.slice(2)));
  const { problems } = await verify(open);
  assert.match(problems.join('\n'), /refs\/heads\/main is at [\s\S]*missing blob/);
});

test('a pipe in place of an object is a problem, not a hang', async (t) => {
  const { commit, gitDir, oid, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  const blob = oid('HEAD:f');
  const file = join(gitDir, 'objects', blob.slice(0, 2), blob.slice(2));
  rmSync(file);
  execFileSync('mkfifo', [file]);
  assert.match((await verify(vault())).problems.join(), /is no file/);
});

test('a FIFO in place of a ref is a problem, not a hang', async (t) => {
  const { commit, gitDir, vault } = vaultUnderTest(t);
  commit('a');
  const open = vault();
  rmSync(join(gitDir, 'refs/heads/main'));
  execFileSync('mkfifo', [join(gitDir, 'refs/heads/main')]);
  assert.notDeepEqual((await verify(open)).problems, []);
});
