import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { encodeIndex } from '../../server/git/index-format.ts';
import { parseIndex } from '../../server/git/parse-index.ts';
import { headTree } from '../../server/vault/head-tree.ts';
import { indexContent } from '../../server/vault/index-content.ts';
import { projectVault } from '../support/project-vault.ts';
import { applyEdits, editsOf } from '../support/tree-edits.ts';

const OWNER = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

test('an index made with what is remembered of the one before is the one made anew', async (t) => {
  const { root, write, commit } = await projectVault(t);
  await fc.assert(
    fc.asyncProperty(editsOf(), async (edits) => {
      applyEdits(root, edits);
      await commit({ onEmpty: 'allow' });
      await write(async (vault) => {
        const tree = await headTree(vault);
        const { disk } = await vault.tree.look({ tracked: tree });
        const again = encodeIndex(indexContent(tree, disk, OWNER));
        const anew = encodeIndex(indexContent(structuredClone(tree), structuredClone(disk), OWNER));
        assert.ok(again.equals(anew));
      });
    }),
    { numRuns: 15 },
  );
});

test('a file that differs on the disk brings no stat along, so that git looks at it', async (t) => {
  const { put, commit, git, root, write } = await projectVault(t);
  for (const name of ['a', 'b', 'd/c']) put(name);
  await commit();
  writeFileSync(join(root, 'a'), 'A\n');
  await write(async (vault) => {
    const tree = await headTree(vault);
    const { disk } = await vault.tree.look({ tracked: tree });
    const bytes = encodeIndex(indexContent(tree, disk, OWNER));
    writeFileSync(join(vault.gitDir, 'index'), bytes);
    assert.deepEqual(
      parseIndex(bytes).entries.map(({ path }) => path),
      ['.gitignore', 'a', 'b', 'd/c', 'project.json'],
    );
  });
  assert.equal(git('status', '--porcelain'), ' M a');
  assert.match(git('ls-files', '--debug', 'a'), /mtime: 0:0/);
  assert.doesNotMatch(git('ls-files', '--debug', 'b'), /mtime: 0:0/);
});
