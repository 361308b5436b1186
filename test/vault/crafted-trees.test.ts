import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { resetWorkingTree } from '../../server/vault/reset-working-tree.ts';
import { restoreFiles } from '../../server/vault/restore-files.ts';
import { revert } from '../../server/vault/revert/revert.ts';
import { type ProjectVault, projectVault } from '../support/project-vault.ts';
import { rawGit } from '../support/raw-git.ts';

/** Trees that git reads and unpacks without a word, and that write where they like. */
const NAMES = ['..', '.', '.git', '.GIT', '../../x', 'a/b', '/etc'];

async function crafted(t: TestContext, name: string): Promise<ProjectVault & { readonly sha: string }> {
  const project = await projectVault(t);
  const content = Buffer.concat([
    Buffer.from(`40000 ${name}\0`),
    Buffer.from(project.git('rev-parse', 'HEAD^{tree}'), 'hex'),
  ]);
  const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
  const tree = execFileSync('git', args, { cwd: project.root, input: content }).toString().trim();
  return { ...project, sha: project.git('commit-tree', '-m', 'x', '-p', 'HEAD', tree) };
}

for (const name of NAMES) {
  test(`no file is written from a tree with the name ${JSON.stringify(name)}`, async (t) => {
    const project = await crafted(t, name);
    const before = [readdirSync(project.root), readdirSync(join(project.root, '..')), readdirSync(project.gitDir)];
    const { sha } = project;
    const damaged = (error: unknown): boolean => isDevLoopError(error, 'vault_damaged');
    await assert.rejects(
      project.write((vault) => resetWorkingTree(vault, { ref: sha, reason: 'x' })),
      damaged,
    );
    await assert.rejects(
      project.write((vault) => restoreFiles(vault, { rev: sha, files: ['**'], reason: 'x' })),
      damaged,
    );
    await assert.rejects(
      project.write((vault) => revert(vault, sha)),
      damaged,
    );
    assert.deepEqual(
      [
        readdirSync(project.root),
        readdirSync(join(project.root, '..')),
        readdirSync(project.gitDir).filter((entry) => entry !== 'COMMIT_EDITMSG'),
      ],
      before,
    );
  });
}

test('no file is written through a link that has the same name as its folder', async (t) => {
  const project = await projectVault(t);
  const outside = join(project.dataDir, 'outside');
  const link = rawGit(project.root, outside)('hash-object', '-w', '--stdin');
  const entry = (mode: string, oid: string): Buffer =>
    Buffer.concat([Buffer.from(`${mode} same\0`), Buffer.from(oid, 'hex')]);
  const content = Buffer.concat([entry('120000', link), entry('40000', project.git('rev-parse', 'HEAD^{tree}'))]);
  const tree = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
    cwd: project.root,
    input: content,
  })
    .toString()
    .trim();
  const sha = project.git('commit-tree', '-m', 'x', tree);
  await assert.rejects(
    project.write((vault) => resetWorkingTree(vault, { ref: sha, reason: 'x' })),
    (error) => isDevLoopError(error, 'vault_damaged'),
  );
  assert.ok(!existsSync(outside));
});
