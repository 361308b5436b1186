import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseUnitId } from '../../server/domain/ids.ts';
import { type GitVaultProject, gitVaultProject } from '../support/git-vault-project.ts';
import { PROJECT } from '../support/project-folders.ts';
import { commitSpec } from '../support/project-vault.ts';
import { rawGit } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const signal = AbortSignal.timeout(60_000);

/** A project with a commit, a tag, an attempt and a rescue. */
async function filled(t: TestContext): Promise<GitVaultProject> {
  const project = await gitVaultProject(t);
  project.put('units/a/code/x.txt', 'one\n');
  await project.commit({ tag: { name: 'prd-rev-1', message: 'x' } });
  project.put('units/a/code/x.txt', 'attempt\n');
  const { subject, author, trailers } = commitSpec();
  const attempt = { unit: parseUnitId('a'), round: 1, attempt: 1, subject, author, trailers };
  await project.vault().saveAttempt(PROJECT, { ...attempt, files: ['units/a/**'], verdict: 'red' });
  await project.vault().resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'x' });
  assert.equal((await project.vault().rescues(PROJECT)).length, 1);
  return project;
}

/** Names of the refs that a clone is offered, and where they point. */
async function offered({ vault }: GitVaultProject): Promise<Readonly<Record<string, string>>> {
  const stream = await vault().uploadPack(PROJECT, { kind: 'advertise', signal });
  const lines = Buffer.concat(await stream.toArray())
    .toString()
    .split('\n')
    .map((line) => /^[0-9a-f]{4}([0-9a-f]{40}) ([^\0]+)/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[2] ?? '', line[1] ?? '']])));
}

/** Fetches all that a commit reaches into an empty repository, and has git look whether it is whole. */
async function fetched({ vault }: GitVaultProject, t: TestContext, commit: string): Promise<string> {
  const body = Buffer.from(`0032want ${commit}\n00000009done\n`);
  const stream = await vault().uploadPack(PROJECT, { kind: 'exchange', body, signal });
  const answer = Buffer.concat(await stream.toArray());
  assert.equal(answer.toString('latin1', 0, 8), '0008NAK\n');
  const folder = scratchFolder(t);
  rawGit(folder)('init', '--quiet');
  rawGit(folder, answer.subarray(8))('index-pack', '--stdin', '--strict');
  return rawGit(folder)('rev-list', '--objects', commit);
}

test('a clone is offered main and the tags that the server knows of, and what they reach', async (t) => {
  const project = await filled(t);
  const { git } = project;
  const [head, tag] = [git('rev-parse', 'HEAD'), git('rev-parse', 'refs/tags/prd-rev-1')];
  const expected = { HEAD: head, 'refs/heads/main': head, 'refs/tags/prd-rev-1': tag, 'refs/tags/prd-rev-1^{}': head };
  assert.deepEqual(await offered(project), expected);
  assert.equal(await fetched(project, t, head), git('rev-list', '--objects', head));
});

test('a clone is not offered what somebody put into the repository, which nobody looked at for secrets', async (t) => {
  const project = await filled(t);
  const before = await offered(project);
  const planted = project.git('commit-tree', '-m', 'planted', 'HEAD^{tree}');
  for (const ref of ['refs/heads/planted', 'refs/tags/planted', 'refs/notes/planted'])
    project.git('update-ref', ref, planted);
  assert.deepEqual(await offered(project), before);
});

test('a clone is whole, whatever became of the refs and objects that the mirror holds', async (t) => {
  const project = await filled(t);
  await project.vault().seal(PROJECT);
  await project.vault().dropBaseline(PROJECT);
  const before = await offered(project);
  const all = project.git('rev-list', '--objects', 'HEAD');
  const [head, blob] = [project.git('rev-parse', 'HEAD'), project.git('rev-parse', 'HEAD:units/a/code/x.txt')];
  const inGit = (name: string): string => join(project.root, '.git', name);
  writeFileSync(inGit('refs/heads/main'), 'garbage');
  rmSync(inGit('packed-refs'), { recursive: true, force: true });
  mkdirSync(inGit('packed-refs'));
  spoil(project, blob);
  assert.deepEqual(await offered(project), before);
  assert.equal(await fetched(project, t, head), all);
});

/** Takes the content away from under an object's name, be it packed or not. */
function spoil({ root }: GitVaultProject, oid: string): void {
  const objects = join(root, '.git/objects');
  for (const name of readdirSync(join(objects, 'pack'))) {
    chmodSync(join(objects, 'pack', name), 0o644);
    if (name.endsWith('.pack')) writeFileSync(join(objects, 'pack', name), 'garbage');
  }
  const loose = join(objects, oid.slice(0, 2), oid.slice(2));
  rmSync(loose, { force: true });
  mkdirSync(join(objects, oid.slice(0, 2)), { recursive: true });
  writeFileSync(loose, 'garbage');
}
