import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BytePath } from '../../server/domain/byte-path.ts';
import { indexVersion } from '../../server/workspace/index-version.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { inWorkspace } from '../support/workspace-place.ts';

test('an index has another version after each change, and none where there is none', () =>
  inTempFolder(async (folder) => {
    const version = (): string | undefined => indexVersion(folder, '' as BytePath);
    assert.equal(version(), undefined);
    rawGit(folder, ['init', '-q']);
    assert.equal(version(), undefined);
    writeFileSync(join(folder, 'a'), '1');
    rawGit(folder, ['add', 'a']);
    const first = version();
    assert.equal(version(), first);
    writeFileSync(join(folder, 'a'), '2');
    rawGit(folder, ['add', 'a']);
    assert.notEqual(version(), first);
    renameSync(join(folder, '.git'), join(folder, 'elsewhere'));
    writeFileSync(join(folder, '.git'), `gitdir: ${join(folder, 'elsewhere')}\n`);
    assert.ok(version() !== undefined);
    renameSync(join(folder, 'elsewhere'), join(folder, 'gone'));
    writeFileSync(join(folder, 'elsewhere'), 'no folder');
    assert.equal(version(), undefined);
  }));

test('how a repository stands follows its index as well as its files, from point to point', () =>
  inWorkspace(async ({ workspace, root, put }) => {
    mkdirSync(join(root, 'repo'));
    const repo = join(root, 'repo');
    rawGit(repo, ['init', '-q']);
    put('repo/a', '1');
    put('repo/dist/b', '1');
    const standing = async () => {
      const { nested } = await workspace.takePoint({ reason: 'x' });
      return nested.map(({ dirty, has_untracked_files }) => [dirty, has_untracked_files]);
    };
    assert.deepEqual(await standing(), [[false, true]]);
    rawGit(repo, ['add', 'a']);
    assert.deepEqual(await standing(), [[false, false]]);
    assert.deepEqual(await standing(), [[false, false]]);
    put('repo/a', '2');
    assert.deepEqual(await standing(), [[true, false]]);
    rawGit(repo, ['add', 'a']);
    assert.deepEqual(await standing(), [[false, false]]);
    rawGit(repo, ['rm', '-q', '--cached', 'a']);
    assert.deepEqual(await standing(), [[false, true]]);
  }));

test('a build folder is held from the moment on at which the root’s index tracks something in it', () =>
  inWorkspace(async ({ workspace, root, put }) => {
    rawGit(root, ['init', '-q']);
    put('a');
    put('dist/kept');
    const files = async () => (await workspace.takePoint({ reason: 'x' })).counts.files;
    assert.equal(await files(), 1);
    assert.equal(await files(), 1);
    rawGit(root, ['add', '-f', 'dist/kept']);
    assert.equal(await files(), 2);
  }));
