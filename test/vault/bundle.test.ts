import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundle } from '../../server/vault/bundle.ts';
import { rawGit } from '../support/raw-git.ts';
import { vaultUnderTest } from '../support/vault-under-test.ts';

test('a bundle clones into the whole history with its tags, and without rescues', async (t) => {
  const { folder, root, commit, git, vault } = vaultUnderTest(t);
  commit('a', { f: '1' });
  git('tag', '-am', 'x', 'prd-rev-1');
  git('update-ref', 'refs/devloop/rescue/x', 'HEAD');
  commit('b', { f: '2' });
  writeFileSync(join(folder, 'p.bundle'), Buffer.concat(await (await bundle(vault())).toArray()));
  rawGit(folder)('clone', '-q', 'p.bundle', 'clone');
  const clone = rawGit(join(folder, 'clone'));
  assert.equal(
    clone('log', '--format=%H %D'),
    rawGit(root)('log', '--format=%H %D').replace('HEAD -> main', 'HEAD -> main, origin/main, origin/HEAD'),
  );
  assert.equal(clone('for-each-ref', '--format=%(refname)', 'refs/devloop'), '');
});
