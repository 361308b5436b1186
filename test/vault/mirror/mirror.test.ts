import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { commit } from '../../../server/vault/commit.ts';
import { isMirrored, syncMirror } from '../../../server/vault/mirror/mirror.ts';
import { mirrorDir } from '../../../server/vault/mirror/mirror-dir.ts';
import { restoreRepository } from '../../../server/vault/mirror/restore-repository.ts';
import { commitSpec, projectVault } from '../../support/project-vault.ts';
import { rawGit } from '../../support/raw-git.ts';
import { vaultUnderTest } from '../../support/vault-under-test.ts';

test('the mirror holds every ref and object, and follows what is added, moved and removed', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  git('tag', '-am', 'x', 'prd-rev-1');
  git('update-ref', 'refs/devloop/rescue/x', 'HEAD');
  const mirror = mirrorDir(vault().state);
  const mirrored = rawGit(join(mirror, '..'));
  const refs = (): string => mirrored('--git-dir', mirror, 'for-each-ref', '--format=%(objectname) %(refname)');
  await syncMirror(vault());
  assert.equal(refs(), git('for-each-ref', '--format=%(objectname) %(refname)'));
  commit('b', { f: '2' });
  git('update-ref', '-d', 'refs/devloop/rescue/x');
  assert.equal(isMirrored(vault()), false);
  await syncMirror(vault());
  assert.equal(isMirrored(vault()), true);
  assert.equal(refs(), git('for-each-ref', '--format=%(objectname) %(refname)'));
  assert.equal(mirrored('--git-dir', mirror, 'fsck', '--strict', '--no-dangling'), '');
});

test('nothing is copied where nothing has changed', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  await syncMirror(vault());
  const packs = (): readonly string[] => readdirSync(join(mirrorDir(vault().state), 'objects/pack')).sort();
  const before = packs();
  await syncMirror(vault());
  assert.deepEqual(packs(), before);
});

test('a swapped object does not get into the mirror, which stays at what it was', async (t) => {
  const { commit, gitDir, oid, vault } = vaultUnderTest(t);
  const first = commit('a', { f: '1' });
  await syncMirror(vault());
  commit('b', { g: 'good', h: 'evil' });
  const file = (rev: string): string => join(gitDir, 'objects', oid(rev).slice(0, 2), oid(rev).slice(2));
  const [good, evil] = [file('HEAD:g'), file('HEAD:h')];
  rmSync(good);
  copyFileSync(evil, good);
  await assert.rejects(syncMirror(vault()), (error) => isDevLoopError(error, 'vault_damaged', 'git_failed'));
  assert.equal(rawGit(mirrorDir(vault().state))('rev-parse', 'refs/heads/main'), first);
  assert.equal(isMirrored(vault()), false);
});

test('what is committed while the mirror follows is not named in it before its objects are there', async (t) => {
  const project = await projectVault(t);
  project.put('a.txt');
  await project.write(async (vault) => {
    const following = syncMirror(vault);
    await commit(vault, commitSpec());
    await following;
    const mirrored = rawGit(mirrorDir(vault.state));
    assert.equal(mirrored('fsck', '--strict', '--connectivity-only'), '');
    await syncMirror(vault);
    assert.equal(mirrored('rev-parse', 'refs/heads/main'), project.git('rev-parse', 'HEAD'));
    assert.equal(mirrored('fsck', '--strict', '--connectivity-only'), '');
  });
});

test('many small packs become one', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  for (let i = 0; i <= 41; i++) {
    commit(`c${i}`, { f: `${i}` });
    await syncMirror(vault());
  }
  assert.ok(readdirSync(join(mirrorDir(vault().state), 'objects/pack')).length < 10);
  assert.equal(rawGit(mirrorDir(vault().state))('rev-list', '--count', 'refs/heads/main'), '42');
});

test('two calls at once do the work once', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  const open = vault();
  await Promise.all([syncMirror(open), syncMirror(open)]);
  assert.equal(
    readdirSync(join(mirrorDir(open.state), 'objects/pack')).filter((name) => name.endsWith('.pack')).length,
    1,
  );
});

test('what the project’s folder links to is not shared with the mirror', async (t) => {
  const { commit, gitDir, git, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  git('repack', '-adq');
  await syncMirror(vault());
  for (const name of readdirSync(join(gitDir, 'objects/pack'))) {
    chmodSync(join(gitDir, 'objects/pack', name), 0o644);
    writeFileSync(join(gitDir, 'objects/pack', name), 'damaged');
  }
  assert.equal(rawGit(mirrorDir(vault().state))('fsck', '--strict', '--no-dangling'), '');
});

test('the mirror takes whatever an agent wrote and the loop committed, and gives it back', async (t) => {
  const project = await projectVault(t);
  project.put('units/a/code/.gitattributes', `${'a'.repeat(5_000)} text\n`);
  project.put('units/a/code/.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = -u./x\n\tupdate = !touch x\n');
  project.put('units/a/tests/.gitmodules/f', 'a folder');
  const { sha } = await project.commit();
  await project.write((vault) => syncMirror(vault));
  const all = project.git('rev-list', '--objects', sha);
  rmSync(join(project.gitDir, 'objects'), { recursive: true });
  await project.exclusive(async (vault) => {
    assert.equal(isMirrored(vault), true);
    await restoreRepository(vault);
  });
  assert.equal(project.git('rev-list', '--objects', sha), all);
});
