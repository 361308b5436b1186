import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { makeRepository, PINNED_FILES } from '../../server/git/new-repository.ts';
import { rawGit } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('a new repository is one to git: on main, not bare, without hooks', (t) => {
  const root = scratchFolder(t);
  const made = makeRepository(join(root, '.git'));
  assert.deepEqual([...made].sort(), Object.keys(PINNED_FILES).sort());
  const git = rawGit(root);
  assert.equal(git('rev-parse', '--is-inside-work-tree', '--is-bare-repository', '--git-dir'), 'true\nfalse\n.git');
  assert.equal(git('symbolic-ref', 'HEAD'), 'refs/heads/main');
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(lstatSync(join(root, '.git/hooks'), { throwIfNoEntry: false }), undefined);
  assert.equal(git('config', '--get', 'gc.auto'), '0');
});

test('made again, only what is not as it should be is put back', (t) => {
  const root = scratchFolder(t);
  const gitDir = join(root, '.git');
  makeRepository(gitDir);
  assert.deepEqual(makeRepository(gitDir), []);
  writeFileSync(join(gitDir, 'config'), '[core]\n\tfsmonitor = evil\n');
  rmSync(join(gitDir, 'info'), { recursive: true });
  rmSync(join(gitDir, 'refs/tags'), { recursive: true });
  assert.deepEqual(makeRepository(gitDir), ['info/attributes', 'config']);
  assert.equal(readFileSync(join(gitDir, 'config'), 'utf8'), PINNED_FILES.config);
});

test('a link in place of a pinned file is replaced and not written through', (t) => {
  const root = scratchFolder(t);
  const gitDir = join(root, '.git');
  makeRepository(gitDir);
  writeFileSync(join(root, 'mine'), PINNED_FILES.config ?? '');
  rmSync(join(gitDir, 'config'));
  symlinkSync(join(root, 'mine'), join(gitDir, 'config'));
  assert.deepEqual(makeRepository(gitDir), ['config']);
  assert.ok(lstatSync(join(gitDir, 'config')).isFile());
});

test('a link in place of a folder is refused', (t) => {
  const root = scratchFolder(t);
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(root, '.git'));
  assert.throws(
    () => makeRepository(join(root, '.git')),
    (error) => isDevLoopError(error, 'path_refused'),
  );
});

test('attributes in the tree do not change what a person’s git sees', (t) => {
  const root = scratchFolder(t);
  makeRepository(join(root, '.git'));
  writeFileSync(join(root, '.gitattributes'), '* text eol=crlf ident\n*.x filter=evil export-ignore\n');
  const git = rawGit(root);
  const attributes = git('check-attr', 'text', 'ident', 'filter', 'export-ignore', '--', 'a.x');
  assert.equal(
    attributes,
    ['text: unset', 'ident: unset', 'filter: unset', 'export-ignore: unset'].map((line) => `a.x: ${line}`).join('\n'),
  );
});
