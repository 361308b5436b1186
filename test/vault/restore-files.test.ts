import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { rescues } from '../../server/vault/rescues.ts';
import { resetWorkingTree } from '../../server/vault/reset-working-tree.ts';
import { restoreFiles } from '../../server/vault/restore-files.ts';
import { restoreRescue } from '../../server/vault/restore-rescue.ts';
import { status } from '../../server/vault/status.ts';
import { contentOf, diskSnapshot } from '../support/disk-snapshot.ts';
import { type ProjectVault, projectVault } from '../support/project-vault.ts';
import { applyEdits, editsOf } from '../support/tree-edits.ts';

const read = (project: ProjectVault, name: string): string => readFileSync(join(project.root, name), 'utf8');
const reset = (project: ProjectVault, ref = 'HEAD') =>
  project.write((vault) => resetWorkingTree(vault, { ref, reason: 'reset-hard' }));
const files = (project: ProjectVault) => contentOf(diskSnapshot(project.root, (name) => name === '.git'));

test('a reset makes the files those of main and keeps every change in a rescue that brings them back', async (t) => {
  await fc.assert(
    fc.asyncProperty(editsOf(['a', 'b', 'ab', '\xff']), editsOf(['a', 'b', 'ab', '\xff']), async (first, second) => {
      const project = await projectVault(t);
      applyEdits(project.root, first);
      await project.commit({ onEmpty: 'allow' });
      applyEdits(project.root, second);
      const tree = (): string => project.git('ls-files', '-s', '-o', '-m', '-d', '--exclude-standard');
      const dirty = await project.write((vault) => status(vault));
      const before = contentFiles(project);
      const { rescue } = await reset(project);
      assert.equal((await project.write((vault) => status(vault))).dirty, false);
      assert.equal(project.git('status', '--porcelain'), '');
      assert.equal(rescue !== undefined, dirty.dirty);
      if (rescue === undefined) return;
      await project.write((vault) => restoreRescue(vault, rescue));
      assert.deepEqual(contentFiles(project), before);
      assert.equal((await project.write((vault) => status(vault))).snapshot, dirty.snapshot);
      assert.ok(tree().length > 0);
      project.git('fsck', '--strict');
    }),
    { numRuns: Number(process.env.RUNS ?? 15) },
  );
});

/** Files with their exec bit: what git can hold. */
function contentFiles(project: ProjectVault): Record<string, string> {
  const all = [...diskSnapshot(project.root, (name) => name === '.git')].filter(([, { kind }]) => kind !== 'folder');
  return Object.fromEntries(
    all.map(([path, { kind, mode, content }]) => [path, `${kind} ${(mode & 0o100) !== 0} ${content}`]),
  );
}

test('a reset keeps the ledgers’ lines and what is ignored', async (t) => {
  const project = await projectVault(t);
  project.put('timeline.ndjson', '1\n');
  project.put('a', '1');
  await project.commit();
  appendFileSync(join(project.root, 'timeline.ndjson'), '2\n');
  project.put('a', '2');
  project.put('stream.log', 'log');
  project.put('units/a/code/node_modules/x', 'x');
  const { left } = await reset(project);
  assert.deepEqual(left, []);
  assert.equal(read(project, 'timeline.ndjson'), '1\n2\n');
  assert.equal(read(project, 'a'), '1');
  assert.equal(read(project, 'stream.log'), 'log');
  assert.ok(existsSync(join(project.root, 'units/a/code/node_modules/x')));
});

test('a reset leaves on the disk what no rescue can hold, and names it', async (t) => {
  const project = await projectVault(t);
  project.put('d/f', '1');
  await project.commit();
  rmSync(join(project.root, 'd/f'));
  execFileSync('mkfifo', [join(project.root, 'd/f')]);
  const { left } = await reset(project);
  assert.deepEqual(left, [{ path: 'd/f', reason: 'special_file' }]);
  assert.ok(existsSync(join(project.root, 'd/f')));
});

test('a reset to an older revision moves no ref', async (t) => {
  const project = await projectVault(t);
  project.put('a', '1');
  const { sha } = await project.commit();
  project.put('a', '2');
  const later = await project.commit();
  const { rescue } = await reset(project, sha);
  assert.equal(rescue, undefined);
  assert.equal(read(project, 'a'), '1');
  assert.equal(project.git('rev-parse', 'refs/heads/main'), later.sha);
});

test('rescues are listed with reason, time and count, newest first, and read as revisions', async (t) => {
  const project = await projectVault(t);
  for (const name of ['a', 'b']) {
    project.put(name, 'x');
    project.put(`${name}2`, 'x');
    await reset(project);
  }
  const [newest, oldest] = await project.write((vault) => rescues(vault));
  assert.ok(newest && oldest && newest.id > oldest.id);
  assert.deepEqual([newest.reason, newest.files], ['reset-hard', 2]);
  assert.equal(project.git('show', `refs/devloop/rescue/${newest.id}:b`), 'x');
});

test('files in scope become a revision’s, others stay, and what main does not have is kept', async (t) => {
  const project = await projectVault(t);
  project.put('units/a/code/x', '1');
  project.put('units/b/code/x', '1');
  const { sha } = await project.commit();
  project.put('units/a/code/x', '2');
  project.put('units/a/code/y', '2');
  project.put('units/b/code/x', '2');
  const scope = ['units/a/code/**'];
  const { rescue } = await project.write((vault) => restoreFiles(vault, { rev: sha, files: scope, reason: 'again' }));
  assert.equal(read(project, 'units/a/code/x'), '1');
  assert.ok(!existsSync(join(project.root, 'units/a/code/y')));
  assert.equal(read(project, 'units/b/code/x'), '2');
  assert.equal(project.git('show', `refs/devloop/rescue/${rescue}:units/a/code/y`), '2');
  const again = await project.write((vault) => restoreFiles(vault, { rev: sha, files: scope, reason: 'again' }));
  assert.equal(again.rescue, undefined);
});

test('a folder that an agent made a link of is restored, and nothing outside is touched', async (t) => {
  const project = await projectVault(t);
  project.put('units/a/code/x', '1');
  await project.commit();
  const outside = join(project.dataDir, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'x'), 'mine');
  rmSync(join(project.root, 'units/a/code'), { recursive: true });
  symlinkSync(outside, join(project.root, 'units/a/code'));
  await reset(project);
  assert.equal(read(project, 'units/a/code/x'), '1');
  assert.equal(readFileSync(join(outside, 'x'), 'utf8'), 'mine');
  assert.ok(files(project)['units/a/code']?.startsWith('folder'));
});

test('an unknown revision is refused before anything is written', async (t) => {
  const project = await projectVault(t);
  project.put('a', 'dirty');
  await assert.rejects(reset(project, '-x'), { code: 'ref_invalid' });
  await assert.rejects(reset(project, 'no-such-tag'), { code: 'ref_not_found' });
  assert.equal(read(project, 'a'), 'dirty');
});
