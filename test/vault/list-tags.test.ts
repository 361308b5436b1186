import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTags } from '../../server/vault/list-tags.ts';
import { vaultUnderTest } from '../support/vault-under-test.ts';

test('tags are listed with the commit they point to; those of other objects are not', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  const first = commit('a', { f: '1' });
  git('tag', '-am', 'shipped\n\nwith notes', 'shipped-v1-1');
  git('tag', 'light');
  git('tag', 'blob', 'HEAD:f');
  const ts = '2026-01-02T03:04:05Z';
  assert.deepEqual(await listTags(vault()), [
    { name: 'light', sha: first, message: '', ts },
    { name: 'shipped-v1-1', sha: first, message: 'shipped\n\nwith notes', ts },
  ]);
});

test('a project without tags has an empty list', async (t) => {
  assert.deepEqual(await listTags(vaultUnderTest(t).vault()), []);
});
