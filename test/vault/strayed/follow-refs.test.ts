import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { mend } from '../../../server/vault/mend.ts';
import { syncMirror } from '../../../server/vault/mirror/mirror.ts';
import { needsMendingAnywhere } from '../../../server/vault/needs-mending.ts';
import { recordedHead } from '../../../server/vault/open-vault.ts';
import { seal } from '../../../server/vault/seal/seal.ts';
import { verify } from '../../../server/vault/verify.ts';
import { type ProjectVault, projectVault } from '../../support/project-vault.ts';
import { rawGit } from '../../support/raw-git.ts';

const rescued = ({ git }: ProjectVault): readonly string[] =>
  git('rev-list', '--glob=refs/devloop/rescue').split('\n').filter(Boolean);

async function sound(project: ProjectVault): Promise<void> {
  assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
  assert.equal(project.git('fsck', '--strict', '--no-dangling'), '');
}

function commitByHand({ git, put }: ProjectVault, name: string): string {
  put(name, `${name} by hand\n`);
  git('add', name);
  git('commit', '-q', '-m', name);
  return git('rev-parse', 'HEAD');
}

test('what a person commits on main is taken over by the next commit, which comes on top of it', async (t) => {
  const project = await projectVault(t);
  const first = commitByHand(project, 'one');
  const second = commitByHand(project, 'two');
  project.put('three');
  const { sha } = await project.commit();
  assert.deepEqual(project.git('rev-list', '--first-parent', `${sha}`).split('\n').slice(0, 3), [sha, second, first]);
  assert.equal(project.git('status', '--porcelain'), '');
  assert.equal(project.git('show', 'HEAD:one'), 'one by hand');
  await sound(project);
});

test('what git itself dislikes is taken over all the same: files that anybody may write, and commits of an old program', async (t) => {
  const project = await projectVault(t);
  project.put('.gitattributes', `${'a'.repeat(5_000)} text\n`);
  project.put('lib/.gitmodules', 'x');
  project.git('add', '.');
  project.git('commit', '-q', '-m', 'long');
  const [head, tree] = [project.git('rev-parse', 'HEAD'), project.git('rev-parse', 'HEAD^{tree}')];
  const text = `tree ${tree}\nparent ${head}\nauthor x <x@y>1 +0000\ncommitter x <x@y> 1 +0000\n\nold\n`;
  const old = rawGit(project.root, text)('hash-object', '-t', 'commit', '-w', '--literally', '--stdin');
  const second = project.git('commit-tree', '-p', old, '-m', 'new', tree);
  project.git('update-ref', 'refs/heads/main', second);
  assert.match((await project.inspect()).repaired.join(), /took over 3 commits/);
  project.put('next');
  const { sha } = await project.commit();
  assert.equal(project.git('rev-parse', `${sha}^`), second);
  await project.write((vault) => syncMirror(vault));
});

test('whoever only reads sees it as well, and a restart forgets nothing', async (t) => {
  const project = await projectVault(t);
  const first = commitByHand(project, 'one');
  assert.equal(await project.read(async (vault) => recordedHead(vault)), first);
  project.reopen();
  assert.equal(await project.read(async (vault) => recordedHead(vault)), first);
  const { head, problems } = await project.inspect();
  assert.deepEqual([head, problems], [first, []]);
});

test('boot takes it over and says so', async (t) => {
  const project = await projectVault(t);
  project.reopen();
  const first = commitByHand(project, 'one');
  const { head, repaired, problems } = await project.inspect();
  assert.deepEqual([head, repaired[0], problems], [first, 'took over 1 commit that somebody made on main', []]);
});

test('a merge by hand is taken over with both its sides', async (t) => {
  const project = await projectVault(t);
  project.git('checkout', '-q', '-b', 'side');
  const side = commitByHand(project, 'one');
  project.git('checkout', '-q', 'main');
  project.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
  const merge = project.git('rev-parse', 'HEAD');
  project.put('two');
  await project.commit();
  assert.equal(project.git('rev-parse', 'HEAD~1'), merge);
  assert.equal(project.git('rev-parse', 'HEAD~1^2'), side);
  await sound(project);
});

test('a main that was rewritten goes back, and what it had become is kept as a rescue', async (t) => {
  const project = await projectVault(t);
  project.put('one');
  const { sha } = await project.commit();
  project.put('one', 'amended\n');
  project.git('commit', '-q', '-a', '--amend', '-m', 'amended');
  const amended = project.git('rev-parse', 'HEAD');
  project.put('two');
  const next = await project.commit({ files: ['two'] });
  assert.equal(project.git('rev-parse', `${next.sha}~1`), sha);
  assert.ok(rescued(project).includes(amended));
  assert.equal(readFileSync(join(project.root, 'one'), 'utf8'), 'amended\n');
  await sound(project);
});

test('a main that was set back goes forward again, and nothing needs to be kept', async (t) => {
  const project = await projectVault(t);
  project.put('one');
  const { sha } = await project.commit();
  project.git('reset', '-q', '--hard', 'HEAD~1');
  assert.equal(await project.read(async (vault) => recordedHead(vault)), sha);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
  assert.deepEqual(rescued(project), []);
  await sound(project);
});

test('a main that leads nowhere, or is gone, is put back', async (t) => {
  const project = await projectVault(t);
  const head = project.git('rev-parse', 'HEAD');
  const ref = join(project.gitDir, 'refs/heads/main');
  for (const damage of [() => rmSync(ref), () => writeFileSync(ref, `${'0'.repeat(39)}1\n`)]) {
    damage();
    assert.equal(await project.read(async (vault) => recordedHead(vault)), head);
    assert.equal(project.git('rev-parse', 'refs/heads/main'), head);
  }
  await sound(project);
});

test('commits that lack something are neither taken over nor given up: somebody must decide', async (t) => {
  const project = await projectVault(t);
  const head = project.git('rev-parse', 'HEAD');
  const hand = commitByHand(project, 'one');
  const blob = project.git('rev-parse', `${hand}:one`);
  rmSync(join(project.gitDir, 'objects', blob.slice(0, 2), blob.slice(2)));
  await assert.rejects(project.commit(), (error) => isDevLoopError(error, 'vault_damaged'));
  assert.match((await project.inspect()).problems[0] ?? '', new RegExp(`refs/heads/main is at ${hand}`));
  assert.equal(project.git('rev-parse', 'refs/heads/main'), hand);
  project.git('update-ref', 'refs/heads/main', head);
  await project.commit();
  await sound(project);
});

test('commits with a name that leads out of the folder are neither taken over nor kept as a rescue', async (t) => {
  for (const name of ['..', '.git']) {
    const project = await projectVault(t);
    const head = project.git('rev-parse', 'HEAD');
    const entry = Buffer.concat([
      Buffer.from(`40000 ${name}\0`),
      Buffer.from(project.git('rev-parse', 'HEAD^{tree}'), 'hex'),
    ]);
    const tree = rawGit(project.root, entry)('hash-object', '-t', 'tree', '-w', '--literally', '--stdin');
    const hand = project.git('commit-tree', '-m', 'x', '-p', 'HEAD', tree);
    project.git('update-ref', 'refs/heads/main', hand);
    await assert.rejects(project.commit(), (error) => isDevLoopError(error, 'vault_damaged'));
    assert.deepEqual([project.git('rev-parse', 'refs/heads/main'), rescued(project)], [hand, []]);
    project.git('update-ref', 'refs/heads/main', head);
    project.put('next');
    await project.commit();
  }
});

test('tags, attempts and rescues of the server go back where somebody moved or deleted them', async (t) => {
  const project = await projectVault(t);
  project.put('one');
  await project.commit({ tag: { name: 'prd-rev-1', message: 'm' } });
  project.put('two');
  await project.commit({ tag: { name: 'sdd-rev-1', message: 'm' } });
  const before = project.git('for-each-ref');
  const other = project.git('commit-tree', '-m', 'other', 'HEAD^{tree}');
  project.git('tag', '-d', 'prd-rev-1');
  project.git('tag', '-f', 'sdd-rev-1', other);
  project.git('tag', 'by-a-person');
  const told = await project.exclusive(async (vault) => {
    assert.ok(needsMendingAnywhere(vault));
    const what = await mend(vault);
    assert.ok(!needsMendingAnywhere(vault));
    await seal(vault);
    return what;
  });
  assert.deepEqual(
    told.map((line) => line.slice(0, 40)),
    ['put refs/tags/prd-rev-1 back, which some', 'put refs/tags/sdd-rev-1 back, which some'],
  );
  project.git('tag', '-d', 'by-a-person');
  const refs = project.git('for-each-ref').split('\n');
  for (const line of before.split('\n')) assert.ok(refs.includes(line), line);
  assert.ok(rescued(project).includes(other));
});
