import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { isMirrored, syncMirror } from '../../server/vault/mirror/mirror.ts';
import { checkSeal, endSeal, seal } from '../../server/vault/seal/seal.ts';
import { forgetEnd } from '../support/forget-end.ts';
import { type GitVaultProject, gitVaultProject } from '../support/git-vault-project.ts';
import { PROJECT } from '../support/project-folders.ts';
import { commitSpec, projectVault } from '../support/project-vault.ts';

const gitDir = ({ root }: GitVaultProject): string => join(root, '.git');
const FILE = bytePathFromText('a.txt');

/** A project with a commit whose mirror is behind by it, as it is within a second. */
async function justCommitted(t: Parameters<typeof gitVaultProject>[0]) {
  const project = await gitVaultProject(t);
  project.put('a.txt', 'one\n');
  return { project, sha: await project.commit() };
}

test('`.git` deleted right after a clean close loses no acknowledged commit', async (t) => {
  const { project, sha } = await justCommitted(t);
  await project.vault().close();
  rmSync(gitDir(project), { recursive: true });
  await project.reopen();
  const { head, repaired, problems } = await project.vault().inspect(PROJECT);
  assert.deepEqual([head, repaired, problems], [sha, ['made the repository anew from its mirror'], []]);
  assert.equal(project.git('rev-parse', 'main'), sha);
  assert.equal(project.git('status', '--porcelain'), '');
});

test('`.git` deleted right after a kill says what is lost, once', async (t) => {
  const project = await projectVault(t);
  await project.write(async (vault) => syncMirror(vault));
  project.put('a');
  const { sha } = await project.commit();
  project.reopen();
  forgetEnd(project.state);
  rmSync(project.gitDir, { recursive: true });
  const { problems } = await project.inspect();
  assert.deepEqual(problems, [`${sha}, which refs/heads/main was last moved to, is lost with the repository`]);
  project.reopen();
  assert.deepEqual((await project.inspect()).problems, []);
  assert.equal(readFileSync(join(project.root, 'a'), 'utf8'), 'a\n');
});

test('`.git` deleted with its mirror behind is told, again and again', async (t) => {
  const project = await projectVault(t);
  await project.write(async (vault) => syncMirror(vault));
  project.put('a');
  await project.commit();
  project.reopen();
  rmSync(project.gitDir, { recursive: true });
  for (let i = 0; i < 2; i++) {
    await assert.rejects(project.inspect(), (error) => isDevLoopError(error, 'vault_damaged'));
    await assert.rejects(project.commit(), (error) => isDevLoopError(error, 'vault_damaged'));
    assert.ok(!existsSync(project.gitDir));
    project.reopen();
  }
});

test('`.git` deleted while the server runs is made anew by the next call, be it one that reads or one that writes', async (t) => {
  const { project, sha } = await justCommitted(t);
  await project.vault().seal(PROJECT);
  await project.vault().dropBaseline(PROJECT);
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    log: () => project.vault().log(PROJECT, {}),
    readFile: () => project.vault().readFile(PROJECT, 'HEAD', FILE),
    status: () => project.vault().status(PROJECT),
    archive: async () => (await project.vault().archive(PROJECT, 'HEAD', { format: 'tar' })).resume(),
    commit: () => project.vault().commit(PROJECT, commitSpec()),
    tag: () => project.vault().tag(PROJECT, `t-${Math.random().toString(16).slice(2)}`),
    reset: () => project.vault().resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'x' }),
    seal: () => project.vault().seal(PROJECT),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (const gone of ['', 'objects', 'refs', 'refs/heads/main']) {
      await project.vault().seal(PROJECT);
      await project.vault().dropBaseline(PROJECT);
      rmSync(join(gitDir(project), gone), { recursive: true });
      await call();
      assert.equal(project.git('rev-parse', 'main'), sha, `${name} after ${gone} was deleted`);
      await project.vault().dropBaseline(PROJECT);
    }
  }
  assert.deepEqual((await project.vault().verify(PROJECT)).problems, []);
});

test('a file in the place of `.git` is a repository that is gone', async (t) => {
  const project = await projectVault(t);
  rmSync(project.gitDir, { recursive: true });
  writeFileSync(project.gitDir, 'gitdir: /nonexistent\n');
  await assert.rejects(
    project.read(async () => {}),
    (error) => isDevLoopError(error, 'vault_damaged'),
  );
});

test('a call that is running is told of a `.git` that went meanwhile, though others read first', async (t) => {
  const { project } = await justCommitted(t);
  await project.vault().seal(PROJECT);
  rmSync(gitDir(project), { recursive: true });
  await project.vault().log(PROJECT, {});
  assert.deepEqual(await project.vault().checkSeal(PROJECT), ['.git']);
  assert.deepEqual(await project.vault().checkSeal(PROJECT), []);
});

test('reads that come before boot has put a repository right wait for it', async (t) => {
  const { project, sha } = await justCommitted(t);
  await project.vault().close();
  rmSync(gitDir(project), { recursive: true });
  await project.reopen();
  const reads = () => [
    project.vault().log(PROJECT, {}),
    project.vault().readFile(PROJECT, 'HEAD', FILE),
    project.vault().show(PROJECT, sha),
    project.vault().listTags(PROJECT),
    project.vault().status(PROJECT),
  ];
  const first = reads();
  const boot = project.vault().inspect(PROJECT);
  await Promise.all([...first, boot, ...reads()]);
  assert.equal((await project.vault().log(PROJECT, {})).items[0]?.sha, sha);
});

test('a read that comes first after a kill finds what an agent call had changed put back', async (t) => {
  const project = await projectVault(t);
  const head = project.git('rev-parse', 'HEAD');
  await project.exclusive(seal);
  const left = readFileSync(join(project.state, 'seal.json'));
  await project.exclusive(async (vault) => endSeal(vault));
  writeFileSync(join(project.state, 'seal.json'), left);
  project.git('commit', '-q', '--allow-empty', '-m', 'by the agent');
  const agents = project.git('rev-parse', 'HEAD');
  project.reopen();
  const read = await project.read(async (vault) => vault.refs.get('refs/heads/main'));
  assert.equal(read, head);
  assert.equal(project.git('rev-parse', 'main'), head);
  assert.match(project.git('rev-list', '--glob=refs/devloop/rescue'), new RegExp(agents));
  assert.deepEqual(await project.exclusive(checkSeal), []);
});

test('what was put right while the server runs is told', async (t) => {
  const told: string[] = [];
  const project = await gitVaultProject(
    t,
    async () => {},
    (what) => told.push(...what),
  );
  project.put('a.txt', 'by hand\n');
  project.git('add', 'a.txt');
  project.git('commit', '-q', '-m', 'by hand');
  await project.vault().log(PROJECT, {});
  assert.deepEqual(told, ['took over 1 commit that somebody made on main']);
});

test('a close brings the mirror up to the last commit', async (t) => {
  const project = await projectVault(t);
  assert.equal(await project.read(async (vault) => isMirrored(vault)), false);
  const { project: closed, sha } = await justCommitted(t);
  await closed.vault().close();
  assert.match(
    readFileSync(join(closed.state, 'mirror.git/packed-refs'), 'utf8'),
    new RegExp(`${sha} refs/heads/main`),
  );
});
