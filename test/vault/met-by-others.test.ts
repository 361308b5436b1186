import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseUnitId } from '../../server/domain/ids.ts';
import { PendingFile } from '../../server/git/pending-file.ts';
import { attempts } from '../../server/vault/attempts.ts';
import { commit } from '../../server/vault/commit.ts';
import { rescues } from '../../server/vault/rescues.ts';
import { resetWorkingTree } from '../../server/vault/reset-working-tree.ts';
import { saveAttempt } from '../../server/vault/save-attempt.ts';
import { tag } from '../../server/vault/tag.ts';
import { commitSpec, projectVault } from '../support/project-vault.ts';

// Faults that people met where agents work on git repositories; docs/faults-met.md says where each was met.

test('a commit and a tag are made where signing is asked for and no key is there', async (t) => {
  const { git, put, commit, write, root } = await projectVault(t);
  for (const key of ['commit.gpgSign', 'tag.gpgSign', 'tag.forceSignAnnotated', 'push.gpgSign'])
    git('config', key, 'true');
  git('config', 'gpg.program', join(root, 'no-such-program'));
  git('config', 'user.signingKey', 'nobody');
  put('a');
  const { sha } = await commit({ tag: { name: 'prd-rev-1', message: 'm' } });
  await write((vault) => tag(vault, { name: 'v1', ref: 'main' }));
  assert.equal(git('rev-parse', 'v1^{}'), sha);
  assert.doesNotMatch(git('cat-file', 'commit', sha), /gpgsig/);
});

test('hooks that fail keep nothing from being committed, and do not run', async (t) => {
  const { gitDir, git, put, commit, write, root } = await projectVault(t);
  const names = [
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
  ];
  mkdirSync(join(gitDir, 'hooks'));
  for (const name of names) {
    writeFileSync(join(gitDir, 'hooks', name), `#!/bin/sh\ntouch ${root}/ran-${name}\nexit 1\n`);
    chmodSync(join(gitDir, 'hooks', name), 0o755);
  }
  put('a');
  const { sha } = await commit();
  put('a', 'changed\n');
  await write((vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'x' }));
  assert.equal(readFileSync(join(gitDir, 'refs/heads/main'), 'utf8'), `${sha}\n`);
  assert.deepEqual(
    names.filter((name) => existsSync(join(root, `ran-${name}`))),
    [],
  );
  assert.equal(git('cat-file', '-t', sha), 'commit');
});

test('an index.lock that a crash has left holds up no commit, and is gone at the next start', async (t) => {
  const project = await projectVault(t);
  const lock = join(project.gitDir, 'index.lock');
  writeFileSync(lock, '');
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(lock, hourAgo, hourAgo);
  project.put('a');
  const { sha } = await project.commit();
  assert.equal(project.git('rev-parse', 'main'), sha);
  assert.deepEqual((await project.inspect()).repaired.slice(0, 1), ['removed the stale lock index.lock']);
  assert.equal(project.git('status', '--porcelain'), '');
});

test('a person can stage files while a commit waits for a ref, and gets their index back where it cannot move', async (t) => {
  const project = await projectVault(t);
  const main = join(project.gitDir, 'refs/heads/main.lock');
  writeFileSync(main, '');
  project.put('a');
  const committing = project.commit();
  for (let turn = 0; turn < 500; turn++) {
    await nextTurn();
    assert.ok(!existsSync(join(project.gitDir, 'index.lock')));
  }
  project.git('add', 'a');
  rmSync(main);
  const { sha } = await committing;
  assert.equal(project.git('rev-parse', 'main'), sha);
  assert.equal(project.git('status', '--porcelain'), '');
});

for (const at of ['write', 'publish'] as const) {
  test(`a commit whose index the disk does not take (${at}) has come to pass, leaves no lock, and the next one brings the index`, async (t) => {
    const project = await projectVault(t);
    project.put('a');
    const usual = PendingFile.prototype[at] as (this: PendingFile, what: never) => void;
    const refusal = Object.assign(new Error('i/o error'), { code: 'EIO', syscall: at });
    const mocked = t.mock.method(PendingFile.prototype, at, function (this: PendingFile, what: never) {
      const isIndex = at === 'write' ? this.path.endsWith('index.lock') : String(what).endsWith('/index');
      if (isIndex) throw refusal;
      usual.call(this, what);
    });
    const { sha } = await project.commit();
    assert.equal(project.git('rev-parse', 'main'), sha);
    assert.match(project.git('status', '--porcelain'), / a$/);
    assert.deepEqual(
      readdirSync(project.gitDir).filter((name) => name.endsWith('.lock')),
      [],
    );
    mocked.mock.restore();
    project.put('b');
    await project.commit();
    assert.equal(project.git('status', '--porcelain'), '');
  });
}

test('what a person, or another call, has staged is in nobody else’s commit', async (t) => {
  const { git, put, commit } = await projectVault(t);
  put('units/a/code/staged');
  git('add', 'units/a');
  put('units/b/code/mine');
  const { sha } = await commit({ files: ['units/b/**'] });
  assert.equal(git('diff-tree', '--no-commit-id', '--name-only', '-r', sha), 'units/b/code/mine');
  assert.equal(git('status', '--porcelain'), '?? units/a/');
});

test('words that a shell would run are only words', async (t) => {
  const { git, put, commit, root } = await projectVault(t);
  const subject = `code(a): \`touch ran\` $(touch ran) "; touch ran; ' | touch ran & --amend`;
  put('a');
  const { sha } = await commit({ subject, trailers: [{ key: 'DevLoop-Agent', value: '`touch ran` $(touch ran)' }] });
  assert.equal(git('log', '-1', '--format=%s', sha), subject);
  assert.ok(!existsSync(join(root, 'ran')) && !existsSync(join(root, '.git/ran')));
});

test('nothing is overwritten where what is there could not be kept first', async (t) => {
  const project = await projectVault(t);
  project.put('a', 'one\n');
  await project.commit();
  project.put('a', 'two\n');
  writeFileSync(join(project.gitDir, 'refs/devloop'), 'a file in the way\n');
  const reset = project.write((vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'x' }));
  await assert.rejects(reset);
  assert.equal(readFileSync(join(project.root, 'a'), 'utf8'), 'two\n');
  rmSync(join(project.gitDir, 'refs/devloop'));
  await project.write((vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'x' }));
  assert.equal(readFileSync(join(project.root, 'a'), 'utf8'), 'one\n');
});

test('what was kept is listed after a restart', async (t) => {
  const project = await projectVault(t);
  project.put('units/a/code/x');
  const about = { unit: parseUnitId('a'), round: 1, attempt: 1, verdict: 'red' } as const;
  const saved = await project.write((vault) => saveAttempt(vault, { ...commitSpec(), ...about }));
  const { rescue } = await project.write((vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'x' }));
  project.reopen();
  assert.deepEqual(
    (await project.read((vault) => attempts(vault))).map(({ sha }) => sha),
    [saved.sha],
  );
  assert.deepEqual(
    (await project.read(rescues)).map(({ id }) => id),
    [rescue],
  );
});

test('a project has a commit from its first moment on: worktrees and clones of it work', async (t) => {
  const { git, dataDir } = await projectVault(t);
  git('worktree', 'add', '-q', join(dataDir, 'worktree'));
  git('clone', '-q', '.', join(dataDir, 'clone'));
  assert.ok(existsSync(join(dataDir, 'worktree', 'project.json')));
  assert.ok(existsSync(join(dataDir, 'clone', 'project.json')));
});

test('four that commit at once to one project each get a commit, in one line, and none loses a file', async (t) => {
  const { git, put, write } = await projectVault(t);
  const units = ['a', 'b', 'c', 'd'];
  const made = await Promise.all(
    units.map(async (unit) => {
      put(`units/${unit}/code/x`);
      return write((vault) => commit(vault, commitSpec({ files: [`units/${unit}/**`], subject: unit })));
    }),
  );
  assert.ok(made.every(({ kind }) => kind === 'committed'));
  assert.equal(git('rev-list', '--count', '--first-parent', 'main'), '5');
  assert.equal(git('ls-tree', '-r', '--name-only', 'main', 'units').split('\n').length, 4);
});

test('a tag of a name that is there is the same tag, or is refused, and never moves', async (t) => {
  const { git, put, commit, write } = await projectVault(t);
  const { sha } = await write((vault) => tag(vault, { name: 'v1', ref: 'main' }));
  assert.equal((await write((vault) => tag(vault, { name: 'v1', ref: 'main' }))).sha, sha);
  put('a');
  await commit();
  await assert.rejects(
    write((vault) => tag(vault, { name: 'v1', ref: 'main' })),
    (error) => isDevLoopError(error, 'tag_exists'),
  );
  assert.equal(git('rev-parse', 'v1^{}'), sha);
});
