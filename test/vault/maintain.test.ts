import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { maintain, needsMaintenance } from '../../server/vault/maintain.ts';
import { readFile } from '../../server/vault/read-tree.ts';
import { endSeal, seal } from '../../server/vault/seal/seal.ts';
import { verify } from '../../server/vault/verify.ts';
import { type ProjectVault, projectVault } from '../support/project-vault.ts';

const packs = ({ gitDir }: ProjectVault): readonly string[] =>
  readdirSync(join(gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'));
const loose = ({ gitDir }: ProjectVault): readonly string[] =>
  readdirSync(join(gitDir, 'objects')).filter((name) => /^[0-9a-f]{2}$/.test(name));

/** So many commits of more than three objects each: a pack each. */
async function withPacks(project: ProjectVault, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < 4; j++) project.put(`d${j}/f`, `${i} ${j}\n`);
    await project.commit();
  }
}

test('a repository is packed anew where it has more than fifty packs or two thousand loose objects, and no call is running', async (t) => {
  const project = await projectVault(t);
  const isNeeded = () => project.read(async (vault) => needsMaintenance(vault));
  await withPacks(project, 51);
  assert.equal(await isNeeded(), true);
  await project.exclusive(seal);
  assert.equal(await isNeeded(), false);
  await project.exclusive(async (vault) => endSeal(vault));
  await project.exclusive(maintain);
  assert.deepEqual([packs(project).length, loose(project), await isNeeded()], [1, [], false]);
  for (let i = 0; i < 4000; i += 400) {
    const names = Array.from({ length: 400 }, (_, j) => `blob ${i + j}\n`);
    const paths = names.map((text, j) => {
      const path = join(project.dataDir, `blob-${i + j}`);
      writeFileSync(path, text);
      return path;
    });
    project.git('hash-object', '-w', ...paths);
  }
  assert.equal(await isNeeded(), true);
  await project.exclusive(maintain);
  assert.equal(await isNeeded(), false);
});

test('nothing is lost by it: no ref, no object that only the index or nobody knows', async (t) => {
  const project = await projectVault(t);
  await withPacks(project, 5);
  project.put('staged', 'staged by a person\n');
  project.git('add', 'staged');
  const staged = project.git('rev-parse', ':staged');
  const forgotten = project.git('commit-tree', '-m', 'forgotten', 'HEAD^{tree}');
  const before = project.git('rev-list', '--all', '--objects');
  for (let i = 0; i < 2; i++) {
    await project.exclusive(maintain);
    assert.equal(project.git('rev-list', '--all', '--objects'), before);
    assert.equal(project.git('cat-file', '-p', staged), 'staged by a person');
    assert.equal(project.git('cat-file', '-t', forgotten), 'commit');
    assert.deepEqual([packs(project).length, loose(project)], [1, []]);
  }
  assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
  await withPacks(project, 1);
  assert.equal(project.git('fsck', '--strict', '--no-dangling'), '');
});

test('those who read meanwhile, and a vault that was open before, find everything', async (t) => {
  const project = await projectVault(t);
  await withPacks(project, 8);
  const file = bytePathFromText('d1/f');
  const read = (rev: string) => project.read(async (vault) => (await readFile(vault, rev, file)).content.toString());
  assert.equal(await read('HEAD'), '7 1\n');
  const revs = Array.from({ length: 8 }, (_, i) => project.git('rev-parse', `HEAD~${7 - i}`));
  const packing = project.exclusive(maintain);
  const found = await Promise.all(revs.map(read));
  await packing;
  assert.deepEqual(
    found,
    revs.map((_, i) => `${i} 1\n`),
  );
  assert.deepEqual(await Promise.all(revs.map(read)), found);
});

test('a pack that somebody keeps stays', async (t) => {
  const project = await projectVault(t);
  await withPacks(project, 3);
  const [kept = ''] = packs(project);
  writeFileSync(join(project.gitDir, 'objects/pack', kept.replace(/\.pack$/, '.keep')), '');
  const bytes = readFileSync(join(project.gitDir, 'objects/pack', kept));
  await project.exclusive(maintain);
  assert.deepEqual(readFileSync(join(project.gitDir, 'objects/pack', kept)), bytes);
  assert.equal(packs(project).length, 2);
});
