import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { parseUnitId } from '../../../server/domain/ids.ts';
import { gitVaultProject } from '../../support/git-vault-project.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { sshRemote } from '../../support/ssh-remote.ts';

/** Made up, in the form of a token. */
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;

test('main goes to the branch that was named, tags where they are asked for, attempts and rescues never', async (t) => {
  const { vault, commit, put, git } = await gitVaultProject(t);
  const remote = sshRemote(t);
  put('a', '1');
  const head = await commit({ tag: { name: 'prd-rev-1', message: 'm' } });
  put('units/a/x', 'red');
  const about = { ...commitSpec({ files: ['units/a/**'] }), unit: parseUnitId('a'), round: 1, attempt: 1 };
  await vault().saveAttempt(PROJECT, { ...about, verdict: 'red' });
  await vault().resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'reset' });
  await vault().addRemote(PROJECT, { name: 'forge', url: remote.url });
  const before = git('for-each-ref');
  const names = () => remote.git('for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);
  assert.deepEqual(await vault().push(PROJECT, { remote: 'forge', branch: 'from-devloop' }), [
    { ref: 'refs/heads/from-devloop', outcome: 'made' },
  ]);
  assert.deepEqual(names(), ['refs/heads/from-devloop']);
  await vault().push(PROJECT, { remote: 'forge', branch: 'main', tags: true });
  assert.deepEqual(names(), ['refs/heads/from-devloop', 'refs/heads/main', 'refs/tags/prd-rev-1']);
  assert.deepEqual(
    [remote.git('rev-parse', 'main'), remote.git('fsck', '--strict'), git('for-each-ref')],
    [head, '', before],
  );
});

test('nothing leaves while it holds what looks like a secret, and it does once a person has allowed it', async (t) => {
  const { vault, commit, put } = await gitVaultProject(t);
  const remote = sshRemote(t);
  await vault().addRemote(PROJECT, { name: 'forge', url: remote.url });
  put('config.js', `const token = '${SECRET}';\n`);
  await commit();
  const push = () => vault().push(PROJECT, { remote: 'forge', branch: 'main' });
  await assert.rejects(push(), (error) => isDevLoopError(error, 'findings_open'));
  assert.deepEqual([remote.calls(), remote.git('for-each-ref')], [[], '']);
  const { findings } = await vault().findings(PROJECT);
  for (const { blob, rule } of findings) await vault().allowFinding(PROJECT, { blob, rule });
  assert.equal((await push())[0]?.outcome, 'made');
});

test('remotes are kept by name over a restart, and neither they nor a push leave a secret on the disk', async (t) => {
  const { vault, state, root, git, reopen } = await gitVaultProject(t);
  const remote = sshRemote(t);
  assert.deepEqual(await vault().remotes(PROJECT), []);
  const other = 'https://forge.example/todo.git';
  await vault().addRemote(PROJECT, { name: 'z', url: other });
  await vault().addRemote(PROJECT, { name: 'a', url: other });
  await vault().addRemote(PROJECT, { name: 'a', url: remote.url });
  await reopen();
  assert.deepEqual(await vault().remotes(PROJECT), [
    { name: 'a', url: remote.url },
    { name: 'z', url: other },
  ]);
  await vault().push(PROJECT, { remote: 'a', branch: 'main', token: 's3cret-token' });
  assert.throws(() => git('grep', '--no-index', '-q', 's3cret', state, root));
  assert.equal(git('remote'), '');
  writeFileSync(join(state, 'remotes.json'), readFileSync(join(state, 'remotes.json'), 'utf8').replace(other, '/etc'));
  await assert.rejects(vault().remotes(PROJECT), (error) => isDevLoopError(error, 'store_damaged'));
});

test('what cannot be meant is refused before anything is asked of the other side', async (t) => {
  const { vault } = await gitVaultProject(t);
  const remote = sshRemote(t);
  await vault().addRemote(PROJECT, { name: 'forge', url: remote.url });
  for (const [options, code] of [
    [{ remote: 'none', branch: 'main' }, 'not_found'],
    [{ remote: remote.url, branch: 'main' }, 'not_found'],
    [{ remote: 'forge', branch: '-d' }, 'ref_invalid'],
    [{ remote: 'forge', branch: 'a..b' }, 'ref_invalid'],
    [{ remote: 'forge', branch: 'a:refs/heads/b' }, 'ref_invalid'],
    [{ remote: 'forge', branch: '' }, 'ref_invalid'],
  ] as const)
    await assert.rejects(vault().push(PROJECT, options), (error) => isDevLoopError(error, code));
  await assert.rejects(vault().addRemote(PROJECT, { name: 'x', url: '/srv/x' }), (error) =>
    isDevLoopError(error, 'validation_failed'),
  );
  assert.deepEqual(remote.calls(), []);
});
