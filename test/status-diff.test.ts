import assert from 'node:assert/strict';
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bytePathFromText } from '../server/domain/byte-path.ts';
import { statusDiff } from '../server/status-diff.ts';
import { gitVaultProject } from './support/git-vault-project.ts';
import { PROJECT } from './support/project-folders.ts';

test('what lies in a folder and in no commit is shown line by line, as git would show the commit of all of it', async (t) => {
  const { vault, root, put, commit, git } = await gitVaultProject(t);
  put('prd/kept.md', 'one\ntwo\nthree\n');
  put('prd/gone.md', 'bye\n');
  await commit({ files: [bytePathFromText('prd/**')] });
  put('prd/kept.md', 'one\n2\nthree\nfour\n');
  put('prd/neu ü.md', 'new\n');
  put('prd/bytes.bin', Uint8Array.of(0, 1, 2));
  put('prd/large.txt', 'x\n'.repeat(1_500_000));
  unlinkSync(join(root, 'prd/gone.md'));
  symlinkSync('kept.md', join(root, 'prd/link'));
  const { files, patch } = await statusDiff({ vault: vault(), locate: async () => ({ root }) })(PROJECT);
  git('add', '-A', 'prd');
  const told = git('diff', '--cached', '--numstat', '--no-renames', '-z')
    .split('\0')
    .filter((line) => line !== '');
  const shown = files.filter(({ additions }) => additions !== undefined);
  const large = ['prd/bytes.bin', 'prd/large.txt'];
  assert.deepEqual(
    shown.map(({ additions, deletions, path }) => `${additions}\t${deletions}\t${Buffer.from(path, 'latin1')}`).sort(),
    told.filter((line) => !large.some((path) => line.endsWith(path))).sort(),
  );
  assert.deepEqual(
    files
      .filter(({ additions }) => additions === undefined)
      .map(({ path }) => path)
      .sort(),
    large,
  );
  const text = Buffer.from(patch).toString();
  assert.match(
    text,
    /diff --git a\/prd\/kept\.md b\/prd\/kept\.md\n--- a\/prd\/kept\.md\n\+\+\+ b\/prd\/kept\.md\n@@ .*\n one\n-two\n\+2\n three\n\+four\n/,
  );
  assert.match(text, /\+\+\+ \/dev\/null\n@@ -1,1 \+0,0 @@\n-bye\n/);
  assert.match(text, /Binary files a\/prd\/large\.txt and b\/prd\/large\.txt differ\n/);
});

test('others are answered while many files are compared', async (t) => {
  const { vault, root, put } = await gitVaultProject(t);
  for (let i = 0; i < 500; i++) put(`prd/${i}`, `${i}\n`.repeat(200));
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const compare = statusDiff({
    vault: { ...vault(), status: async (pid) => ({ ...(await vault().status(pid)), ...resetTurns() }) },
    locate: async () => ({ root }),
  });
  const resetTurns = () => {
    turns = 0;
    return {};
  };
  const { files } = await compare(PROJECT);
  clearImmediate(timer);
  assert.ok(files.length >= 500 && turns >= 8, `${turns} turns`);
});
