import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathText } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { commit } from '../../server/vault/commit.ts';
import { init } from '../../server/vault/init.ts';
import { commitSpec, projectVault } from '../support/project-vault.ts';
import { rawGit, rawRepository } from '../support/raw-git.ts';

const sound = (git: (...args: string[]) => string) => {
  assert.equal(git('fsck', '--strict', '--full'), '');
  assert.equal(git('status', '--porcelain'), '');
};

test('a new project has a repository that a person can use: log, status, fsck, clone', async (t) => {
  const { git, root, dataDir } = await projectVault(t);
  assert.equal(git('log', '--format=%an <%ae> %cn %s'), 'DevLoop <devloop@devloop.local> DevLoop init: project');
  assert.equal(git('ls-files'), '.gitignore\nproject.json');
  assert.equal(git('symbolic-ref', 'HEAD'), 'refs/heads/main');
  sound(git);
  rawGit(dataDir)('clone', '-q', root, 'copy');
  assert.equal(readFileSync(join(dataDir, 'copy', 'project.json'), 'utf8'), '{}\n');
});

test('init again with its key gives the same head, with another it is refused', async (t) => {
  const project = await projectVault(t, { bare: true });
  project.put('project.json', '{}');
  const first = commitSpec({ kind: 'init', files: ['**'] });
  const { head } = await project.write((vault) => init(vault, first));
  assert.deepEqual(await project.write((vault) => init(vault, first)), { head });
  project.reopen();
  assert.deepEqual(await project.write((vault) => init(vault, first)), { head });
  await assert.rejects(
    project.write((vault) => init(vault, commitSpec({ kind: 'init' }))),
    (error) => isDevLoopError(error, 'conflict'),
  );
  assert.equal(project.git('rev-list', '--count', 'HEAD'), '1');
});

test('a commit takes the files of its scope, and nothing else', async (t) => {
  const { git, put, commit, root } = await projectVault(t);
  for (const name of ['units/a/code/x.js', 'units/a/tests/x.test.js', 'units/b/code/y.js', 'other.txt']) put(name);
  await commit({ files: ['units/a/**'] });
  assert.equal(git('show', '--name-only', '--format='), 'units/a/code/x.js\nunits/a/tests/x.test.js');
  assert.equal(git('status', '--porcelain', '-uall'), '?? other.txt\n?? units/b/code/y.js');
  put('units/b/code/y.js', 'changed');
  rmSync(join(root, 'units/a/tests'), { recursive: true });
  put('units/a/code/x.js', 'also changed');
  await commit({ files: ['units/a/**'], subject: 'two' });
  assert.equal(git('show', '--name-status', '--format='), 'M\tunits/a/code/x.js\nD\tunits/a/tests/x.test.js');
  await commit({ files: ['**'], subject: 'three' });
  assert.equal(git('log', '--format=%s', '-3'), 'three\ntwo\ncode(a): implement · attempt 1');
  sound(git);
});

test('message, author, committer and trailers are as they were given', async (t) => {
  const { git, put, commit } = await projectVault(t);
  put('prd/prd.md');
  const trailers = [
    { key: 'DevLoop-Call', value: 'c-1' },
    { key: 'Co-authored-by', value: 'Tester Agent <tester@devloop.local>' },
  ];
  const { sha } = await commit({
    subject: 'prd: rev 1 · `id` $(id) "x" → ✓',
    author: { name: 'PM Agent', email: 'pm@devloop.local' },
    trailers,
  });
  assert.equal(
    git('log', '-1', '--format=%an <%ae> %cn <%ce>', sha),
    'PM Agent <pm@devloop.local> DevLoop <devloop@devloop.local>',
  );
  const lines = [
    'prd: rev 1 · `id` $(id) "x" → ✓',
    '',
    'DevLoop-Call: c-1',
    'Co-authored-by: Tester Agent <tester@devloop.local>',
  ];
  assert.equal(git('log', '-1', '--format=%B', sha), `${lines.join('\n')}\n`);
  assert.equal(git('log', '-1', '--format=%(trailers:key=DevLoop-Call,valueonly)').trim(), 'c-1');
});

test('a subject or trailer of more than one line is refused, and nothing is left of it', async (t) => {
  const { put, commit, git } = await projectVault(t);
  put('a');
  const before = git('count-objects', '-v');
  for (const change of [{ subject: 'a\nb' }, { subject: ' ' }, { trailers: [{ key: 'X', value: 'a\r\nY: b' }] }]) {
    await assert.rejects(commit(change), (error) => isDevLoopError(error, 'validation_failed'));
  }
  assert.equal(git('rev-list', '--count', 'HEAD'), '1');
  assert.equal(git('count-objects', '-v'), before);
});

test('where nothing has changed, the spec says what happens', async (t) => {
  const { write, git, put } = await projectVault(t);
  put('.env', 'SECRET=1');
  const outcome = await write((vault) => commit(vault, commitSpec()));
  assert.equal(outcome.kind, 'nothing');
  await assert.rejects(
    write((vault) => commit(vault, commitSpec({ onEmpty: 'throw' }))),
    (error) => isDevLoopError(error, 'nothing_to_commit'),
  );
  const allowed = await write((vault) => commit(vault, commitSpec({ onEmpty: 'allow', subject: 'empty' })));
  assert.equal(allowed.kind, 'committed');
  assert.equal(git('log', '--format=%s'), 'empty\ninit: project');
});

test('the same key gives the first commit again, also after a restart', async (t) => {
  const project = await projectVault(t);
  project.put('a');
  const spec = commitSpec({ tag: { name: 'prd-rev-1', message: 'rev 1' } });
  const first = await project.commit(spec);
  project.put('a', 'changed since');
  const { left_out, nested, ...again } = await project.commit(spec);
  assert.deepEqual(again, { kind: 'committed', sha: first.sha, repeated: true, tag: 'prd-rev-1' });
  project.reopen();
  assert.equal((await project.commit(spec)).sha, first.sha);
  assert.equal(project.git('rev-list', '--count', 'HEAD'), '2');
});

test('a tag is made with its commit, annotated, and never moved', async (t) => {
  const { put, commit, git } = await projectVault(t);
  for (const [i, expected] of ['shipped-v1-1', 'shipped-v1-1.2', 'shipped-v1-1.3'].entries()) {
    put('project.json', String(i));
    const made = await commit({ tag: { name: 'shipped-v1-1', message: `ship ${i}` } });
    assert.equal(made.tag, expected);
    assert.equal(git('cat-file', '-t', expected), 'tag');
    assert.equal(git('rev-parse', `${expected}^{}`), made.sha);
    assert.equal(git('tag', '-l', '--format=%(contents:subject)%(taggername)', expected), `ship ${i}DevLoop`);
  }
  put('b');
  await assert.rejects(commit({ tag: { name: '--output=x', message: '' } }), (error) =>
    isDevLoopError(error, 'ref_invalid'),
  );
  assert.equal(git('rev-list', '--count', 'HEAD'), '4');
});

test('what is left out is named: ignored, secret, too large, special', async (t) => {
  const { put, commit, root, git } = await projectVault(t);
  put('.gitignore', 'ignored.txt\n');
  for (const name of ['kept.txt', 'ignored.txt', '.env', 'deep/id_rsa_2']) put(name);
  writeFileSync(join(root, 'large.bin'), '');
  truncateSync(join(root, 'large.bin'), 1_000_001);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const { left_out } = await commit();
  assert.deepEqual(left_out.map(({ path, reason }) => `${pathText(path).path} ${reason}`).sort(), [
    '.env secret_name',
    'deep/id_rsa_2 secret_name',
    'ignored.txt ignored',
    'large.bin too_large',
    'pipe special_file',
  ]);
  assert.equal(git('ls-files'), '.gitignore\nkept.txt\nproject.json');
});

test('a nested repository is saved as files and named, its git folder left alone', async (t) => {
  const { commit, root, git } = await projectVault(t);
  const inner = rawRepository(join(root, 'vendor', 'lib'));
  writeFileSync(join(root, 'vendor/lib/file.txt'), 'kept');
  inner('add', '-A');
  inner('commit', '-q', '-m', 'inner');
  const { nested } = await commit();
  assert.deepEqual(nested, ['vendor/lib']);
  assert.equal(git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD', 'vendor'), '100644 vendor/lib/file.txt');
  assert.equal(git('fsck', '--strict', '--full'), '');
});

test('bytes, names, modes and links are kept as they are, whatever .gitattributes says', async (t) => {
  const { put, commit, root, git } = await projectVault(t);
  put('.gitattributes', '* text=auto eol=crlf ident filter=lfs\n');
  put('crlf.txt', 'a\r\nb\n$Id$\n');
  for (const name of ['caf\xe9', 'new\nline', '-dash', ' blank ', '\xe6\x97\xa5']) put(`odd/${name}`);
  put('run.sh', '#!/bin/sh\n');
  chmodSync(join(root, 'run.sh'), 0o755);
  put('empty', '');
  symlinkSync('/etc/passwd', join(root, 'link'));
  linkSync(join(root, 'empty'), join(root, 'hard'));
  await commit();
  assert.equal(git('cat-file', 'blob', 'HEAD:crlf.txt'), 'a\r\nb\n$Id$');
  assert.equal(git('cat-file', 'blob', 'HEAD:link'), '/etc/passwd');
  assert.match(git('ls-tree', 'HEAD'), /100755 blob \S+\trun.sh/);
  assert.equal(git('ls-tree', '-z', '--name-only', 'HEAD:odd').split('\0').length, 6);
  sound(git);
});

test('a file that became a folder, and a folder that became a file, are committed so', async (t) => {
  const { put, commit, root, git } = await projectVault(t);
  put('a', 'file');
  put('b/c', 'below');
  await commit();
  rmSync(join(root, 'a'));
  rmSync(join(root, 'b'), { recursive: true });
  put('a/x');
  put('b', 'file now');
  await commit();
  assert.equal(git('ls-files'), '.gitignore\na/x\nb\nproject.json');
  sound(git);
});

test('an edit that keeps size and time is seen', async (t) => {
  const { put, commit, root, git } = await projectVault(t);
  put('a', 'one');
  await commit();
  execFileSync('sh', ['-c', 'touch -r a ref && printf two > a && touch -r ref a && rm ref'], { cwd: root });
  await commit();
  assert.equal(git('show', 'HEAD:a'), 'two');
});

test('two writers on one project are served one after the other', async (t) => {
  const { put, commit, git } = await projectVault(t);
  for (let i = 0; i < 8; i++) put(`units/u${i}/code/x`);
  await Promise.all(Array.from({ length: 8 }, (_, i) => commit({ files: [`units/u${i}/**`], subject: `commit ${i}` })));
  assert.equal(git('rev-list', '--count', 'HEAD'), '9');
  assert.deepEqual(
    git('log', '--format=%s', '--reverse').split('\n').slice(1),
    Array.from({ length: 8 }, (_, i) => `commit ${i}`),
  );
  sound(git);
});

test('where something else is checked out, nothing is committed on main', async (t) => {
  const { put, commit, git, inspect } = await projectVault(t);
  put('a');
  for (const at of [
    ['-q', '--detach'],
    ['-q', '-b', 'other'],
  ]) {
    git('checkout', ...at);
    await assert.rejects(commit(), (error) => isDevLoopError(error, 'vault_tampered'));
    await inspect();
    assert.equal(git('symbolic-ref', 'HEAD'), 'refs/heads/main');
  }
  await commit();
  sound(git);
});

test('a repository that is gone is told, and nothing is made in its place', async (t) => {
  const { put, commit, root, git } = await projectVault(t);
  put('a');
  renameSync(join(root, '.git'), join(root, '..', 'git-away'));
  await assert.rejects(commit(), (error) => isDevLoopError(error, 'vault_damaged'));
  assert.ok(!readdirSync(root).includes('.git'));
  renameSync(join(root, '..', 'git-away'), join(root, '.git'));
  await commit();
  sound(git);
});

test('no temporary file, lock or descriptor is left by many commits', async (t) => {
  const { put, commit, root } = await projectVault(t);
  const descriptors = () => readdirSync('/proc/self/fd').length;
  put('a', 'x');
  await commit();
  const before = descriptors();
  for (let i = 0; i < 20; i++) {
    for (let j = 0; j < 5; j++) put(`d${j}/a`, `${i} ${j}`);
    await commit({ tag: { name: `t-${i}`, message: 'm' } });
  }
  assert.ok(descriptors() <= before + 1);
  const left = readdirSync(join(root, '.git'), { recursive: true }).filter((name) => /\.lock$|tmp_/.test(String(name)));
  assert.deepEqual(left, []);
});
