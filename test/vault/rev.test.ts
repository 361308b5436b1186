import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { resolveCommit } from '../../server/vault/rev.ts';
import { vaultUnderTest } from '../support/vault-under-test.ts';

test('a commit is found by every name that it has', async (t) => {
  const { commit, git, oid, vault } = vaultUnderTest(t);
  const first = commit('a');
  git('tag', '-am', 'x', 'prd-rev-1');
  git('tag', '-am', 'x', 'twice', 'prd-rev-1');
  git('update-ref', 'refs/devloop/attempts/api/1/2', first);
  git('update-ref', 'refs/devloop/rescue/2026-x', first);
  for (const rev of [
    'HEAD',
    'main',
    'prd-rev-1',
    'twice',
    first,
    first.slice(0, 7),
    oid('prd-rev-1'),
    'attempts/api/1/2',
    'rescue/2026-x',
  ]) {
    assert.equal(await resolveCommit(vault(), rev), first, rev);
  }
});

test('what is not there, is no commit or is no name is refused with a code', async (t) => {
  const { commit, oid, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  for (const rev of ['none', '1'.repeat(40), 'abcdef0', oid('HEAD^{tree}'), oid('HEAD:f')]) {
    await assert.rejects(resolveCommit(vault(), rev), (error) => isDevLoopError(error, 'ref_not_found'), rev);
  }
  for (const rev of [
    '--output=/tmp/x',
    '-d',
    'HEAD~1',
    'a..b',
    '@{u}',
    '$(id)',
    'main:f',
    '',
    'refs/heads/main',
    'a\nb',
  ]) {
    await assert.rejects(resolveCommit(vault(), rev), (error) => isDevLoopError(error, 'ref_invalid'), rev);
  }
});

test('a ref that is not in the record does not count', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  commit('a');
  const open = vault();
  git('tag', 'planted');
  git('commit', '-q', '--allow-empty', '-m', 'moved');
  await assert.rejects(resolveCommit(open, 'planted'), (error) => isDevLoopError(error, 'ref_not_found'));
  assert.notEqual(await resolveCommit(open, 'main'), git('rev-parse', 'main'));
});
