import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { rescues } from '../../../server/vault/rescues.ts';
import { type RevertOutcome, revert } from '../../../server/vault/revert/revert.ts';
import { type ProjectVault, projectVault } from '../../support/project-vault.ts';
import { unpackAll } from '../../support/unpack-all.ts';

interface Reverting extends ProjectVault {
  readonly revert: (rev: string) => Promise<RevertOutcome>;
  readonly text: (name: string) => string;
}

async function reverting(t: TestContext): Promise<Reverting> {
  const project = await projectVault(t);
  return {
    ...project,
    revert: (rev) => project.write((vault) => revert(vault, rev)),
    text: (name) => readFileSync(join(project.root, name), 'utf8'),
  };
}

test('a commit is undone by a new one, in the repository and on the disk', async (t) => {
  const project = await reverting(t);
  project.put('a', '1\n');
  await project.commit();
  project.put('a', '2\n');
  project.put('d/new', 'x\n');
  const { sha } = await project.commit({ subject: 'code(a): implement · attempt 1' });
  project.put('b', 'later\n');
  await project.commit();
  const outcome = await project.revert(sha);
  assert.ok(outcome.kind === 'reverted');
  assert.deepEqual(
    [project.text('a'), project.text('b'), existsSync(join(project.root, 'd'))],
    ['1\n', 'later\n', false],
  );
  assert.equal(project.git('status', '--porcelain'), '');
  assert.equal(
    project.git('log', '-1', '--format=%H %s%n%(trailers)').trim(),
    `${outcome.sha} revert: code(a): implement · attempt 1\nDevLoop-Reverts: ${sha}`,
  );
  assert.equal(project.git('fsck', '--strict', '--no-dangling'), '');
});

test('the result is git’s own', async (t) => {
  const project = await reverting(t);
  const lines = (change: Readonly<Record<number, string>>): string =>
    Array.from({ length: 40 }, (_, i) => `${change[i] ?? `line ${i}`}\n`).join('');
  project.put('code', lines({}));
  project.put('run', '#!/bin/sh\n');
  await project.commit();
  project.put('code', lines({ 5: 'changed' }));
  chmodSync(join(project.root, 'run'), 0o755);
  symlinkSync('code', join(project.root, 'link'));
  const { sha } = await project.commit();
  project.put('code', lines({ 5: 'changed', 30: 'later' }));
  const { sha: head } = await project.commit();
  await project.revert(sha);
  const ours = project.git('rev-parse', 'HEAD^{tree}');
  project.git('checkout', '-q', '--detach', head);
  project.git('revert', '--no-edit', sha);
  assert.equal(project.git('rev-parse', 'HEAD^{tree}'), ours);
});

test('what later commits changed in the same place is a conflict, and nothing is done', async (t) => {
  const project = await reverting(t);
  project.put('a', '1\n');
  project.put('b', '1\n');
  const { sha } = await project.commit();
  project.put('a', '2\n');
  const { sha: head } = await project.commit();
  assert.deepEqual(await project.revert(sha), { kind: 'conflict', files: ['a'] });
  assert.deepEqual([project.git('rev-parse', 'HEAD'), project.text('a'), project.text('b')], [head, '2\n', '1\n']);
  assert.deepEqual(
    readdirSync(project.state).filter((name) => name.startsWith('scratch-')),
    [],
  );
});

test('what is undone already is told', async (t) => {
  const project = await reverting(t);
  project.put('a', '1\n');
  const { sha } = await project.commit();
  assert.equal((await project.revert(sha)).kind, 'reverted');
  assert.deepEqual(await project.revert(sha), { kind: 'already_reverted' });
  const undo = project.git('rev-parse', 'HEAD');
  assert.equal((await project.revert(undo)).kind, 'reverted');
  assert.equal(project.text('a'), '1\n');
});

test('the first commit, a tag and a merge can be undone', async (t) => {
  const project = await reverting(t);
  project.put('a', '1\n');
  const { sha } = await project.commit({ tag: { name: 'prd-rev-1', message: 'x' } });
  const first = project.git('rev-parse', 'HEAD~1');
  assert.equal((await project.revert('prd-rev-1')).kind, 'reverted');
  assert.ok(!existsSync(join(project.root, 'a')));
  const root = project.git('commit-tree', '-m', 'root', `${sha}^{tree}`);
  assert.deepEqual(await project.revert(root), { kind: 'already_reverted' });
  assert.deepEqual(await project.revert(first), { kind: 'already_reverted' });
  assert.ok(existsSync(join(project.root, '.gitignore')));
  assert.ok(existsSync(join(project.root, 'project.json')));
  const merge = project.git('commit-tree', '-m', 'merge', '-p', first, '-p', sha, `${sha}^{tree}`);
  assert.deepEqual(await project.revert(merge), { kind: 'already_reverted' });
});

test('a change of the ignore file can be undone, but the file never goes', async (t) => {
  const project = await reverting(t);
  const before = project.text('.gitignore');
  project.put('.gitignore', 'all/\n');
  project.put('a', '1\n');
  const { sha } = await project.commit();
  const root = project.git('commit-tree', '-m', 'root', `${sha}^{tree}`);
  assert.equal((await project.revert(root)).kind, 'reverted');
  assert.equal(project.git('ls-tree', '--name-only', 'HEAD'), '.gitignore\nproject.json');
  assert.equal(project.text('.gitignore'), 'all/\n');
  assert.equal((await project.revert(sha)).kind, 'reverted');
  assert.equal(project.text('.gitignore'), before);
});

test('ledgers, logs and project.json stay as they are', async (t) => {
  const project = await reverting(t);
  project.put('timeline.ndjson', 'one\n');
  project.put('units/a/coder.log', 'attempt 1\n');
  project.put('units/a/code/x', '1\n');
  project.put('project.json', '{"rev":1}\n');
  const { sha } = await project.commit();
  appendFileSync(join(project.root, 'timeline.ndjson'), 'two\n');
  appendFileSync(join(project.root, 'units/a/coder.log'), 'attempt 2\n');
  project.put('project.json', '{"rev":2}\n');
  project.put('units/a/tests/y', '1\n');
  await project.commit();
  assert.equal((await project.revert(sha)).kind, 'reverted');
  assert.deepEqual(
    [project.text('timeline.ndjson'), project.text('units/a/coder.log'), project.text('project.json')],
    ['one\ntwo\n', 'attempt 1\nattempt 2\n', '{"rev":2}\n'],
  );
  assert.ok(!existsSync(join(project.root, 'units/a/code')) && existsSync(join(project.root, 'units/a/tests/y')));
});

test('uncommitted work in the way is kept in a rescue, and elsewhere it stays', async (t) => {
  const project = await reverting(t);
  project.put('a', '1\n');
  const { sha } = await project.commit();
  project.put('a', 'precious\n');
  project.put('elsewhere', 'mine\n');
  assert.equal((await project.revert(sha)).kind, 'reverted');
  assert.ok(!existsSync(join(project.root, 'a')));
  assert.equal(project.text('elsewhere'), 'mine\n');
  const [rescue] = await project.write((vault) => rescues(vault));
  assert.equal(project.git('show', `${rescue?.sha}:a`), 'precious');
});

test('a revision that is none, or is not there, is refused', async (t) => {
  const project = await reverting(t);
  await assert.rejects(project.revert('none'), (error) => isDevLoopError(error, 'ref_not_found'));
  await assert.rejects(project.revert('--help'), (error) => isDevLoopError(error, 'ref_invalid'));
});

test('a merge driver and a filter that the tree asks for are not run', async (t) => {
  const project = await reverting(t);
  const marker = join(project.dataDir, 'ran');
  project.git('config', 'merge.x.driver', `touch ${marker}`);
  project.git('config', 'filter.x.smudge', `touch ${marker}`);
  project.put('.gitattributes', '* merge=x filter=x\n');
  project.put('a', '1\n2\n3\n4\n5\n6\n');
  await project.commit();
  project.put('a', '1\n2\n3\n4\n5\nlast\n');
  const { sha } = await project.commit();
  project.put('a', 'first\n2\n3\n4\n5\nlast\n');
  await project.commit();
  assert.equal((await project.revert(sha)).kind, 'reverted');
  assert.equal(project.text('a'), 'first\n2\n3\n4\n5\n6\n');
  assert.ok(!existsSync(marker));
  rmSync(marker, { force: true });
});

test('a revert whose files hold other content than their ids say is refused', async (t) => {
  const project = await reverting(t);
  project.put('a', '1\n2\n3\n');
  await project.commit();
  project.put('a', '1\n2\n3\nmore\n');
  const { sha } = await project.commit();
  const [was, is] = ['HEAD~1:a', 'HEAD:a'].map((rev) => project.git('rev-parse', rev)) as [string, string];
  const file = (oid: string): string => join(project.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
  unpackAll(project.gitDir);
  rmSync(file(was), { force: true });
  copyFileSync(file(is), file(was));
  project.reopen();
  await assert.rejects(project.revert(sha), (error) => isDevLoopError(error, 'vault_damaged'));
});
