import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { headTree } from '../../server/vault/head-tree.ts';
import { keepRescue } from '../../server/vault/keep-rescue.ts';
import { readBlob } from '../../server/vault/read-blob.ts';
import { writeFiles } from '../../server/vault/write-files.ts';
import { projectVault } from '../support/project-vault.ts';

test('what could be read once and not a second time, to be kept, is neither overwritten nor deleted, and is named', async (t) => {
  const project = await projectVault(t);
  for (const name of ['a', 'b']) project.put(name, 'committed\n');
  await project.commit();
  for (const name of ['a', 'b', 'new/c', 'new/d']) project.put(name, 'made since\n');
  const { rescue, left } = await project.write(async (vault) => {
    const head = await headTree(vault);
    const { disk } = await vault.tree.look({ tracked: head });
    return writeFiles(vault, {
      now: disk,
      target: head,
      modes: 'git',
      keep: () => undefined,
      read: (file) => readBlob(vault, file),
      // As where the disk refuses two of them.
      rescue: () => keepRescue(vault, { reason: 'x', scope: ['b', 'new/d'] }),
    });
  });
  const at = (name: string) => join(project.root, name);
  assert.deepEqual(
    left.map(({ path, reason }) => [path, reason]),
    [
      ['a', 'what is there could not be kept'],
      ['new/c', 'what is there could not be kept'],
    ],
  );
  assert.deepEqual(
    ['a', 'b', 'new/c'].map((name) => readFileSync(at(name), 'utf8')),
    ['made since\n', 'committed\n', 'made since\n'],
  );
  assert.ok(!existsSync(at('new/d')));
  assert.equal(project.git('show', `refs/devloop/rescue/${rescue}:new/d`), 'made since');
});
