import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { parseIndex } from '../../server/git/parse-index.ts';
import { projectVault } from '../support/project-vault.ts';
import { applyEdits, editsOf } from '../support/tree-edits.ts';

test('whatever was edited, a commit holds the tree that git makes of the folder, and status is clean', async (t) => {
  const project = await projectVault(t);
  const { git, root, gitDir } = project;
  await fc.assert(
    fc.asyncProperty(editsOf(), fc.boolean(), async (edits, restart) => {
      applyEdits(root, edits);
      if (restart) project.reopen();
      await project.commit({ onEmpty: 'allow' });
      const ours = git('rev-parse', 'HEAD^{tree}');
      assert.equal(git('status', '--porcelain'), '');
      rmSync(join(gitDir, 'index'));
      git('add', '-A');
      assert.equal(git('write-tree'), ours);
      const theirs = parseIndex(readFileSync(join(gitDir, 'index')));
      project.put('extra', 'x');
      await project.commit({ files: ['extra'], onEmpty: 'allow' });
      const mine = parseIndex(readFileSync(join(gitDir, 'index'))).entries.filter(({ path }) => path !== 'extra');
      assert.deepEqual(
        mine,
        theirs.entries.filter(({ path }) => path !== 'extra'),
      );
    }),
    { numRuns: 20 },
  );
  assert.equal(git('fsck', '--strict', '--full'), '');
});

test('a person’s git need read no file that was committed: the index has their stat', async (t) => {
  const { git, put, commit } = await projectVault(t);
  for (let i = 0; i < 30; i++) put(`d${i % 3}/f${i}`);
  await commit();
  await commit({ onEmpty: 'allow' });
  const debug = git('ls-files', '--debug');
  assert.equal(debug.match(/mtime: 0:0/g), null);
  assert.equal(git('diff-files', '--name-only'), '');
  assert.equal(git('diff-index', '--cached', '--name-only', 'HEAD'), '');
});
