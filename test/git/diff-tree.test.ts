import assert from 'node:assert/strict';
import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { diffTree } from '../../server/git/diff-tree.ts';
import { EMPTY_TREE } from '../../server/git/objects/object-id.ts';
import { rawGit } from '../support/raw-git.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('each kind of change has its name and its counts', async (t) => {
  const { root, shadow, commit } = shadowPlace(t);
  const from = commit('from', {
    kept: 'x',
    gone: '1\n2\n',
    more: 'a\nb\n',
    run: 'x',
    swap: 'x',
    bin: Buffer.from([0, 1, 2]),
  });
  rmSync(join(root, 'gone'));
  rmSync(join(root, 'swap'));
  symlinkSync('kept', join(root, 'swap'));
  chmodSync(join(root, 'run'), 0o755);
  const to = commit('to', { more: 'a\nc\nd\n', fresh: '1\n', bin: Buffer.from([0, 9]) });
  const { files } = await diffTree(shadow, { from, to });
  assert.deepEqual(files, [
    { path: 'bin', change: 'modified' },
    { path: 'fresh', change: 'added', additions: 1, deletions: 0 },
    { path: 'gone', change: 'deleted', additions: 0, deletions: 2 },
    { path: 'more', change: 'modified', additions: 2, deletions: 1 },
    { path: 'run', change: 'mode', additions: 0, deletions: 0 },
    { path: 'swap', change: 'type', additions: 1, deletions: 1 },
  ]);
});

test('the patch is the one that git applies', async (t) => {
  const { root, git, shadow, commit } = shadowPlace(t);
  const from = commit('from', { a: '1\n2\n3\n', 'd/b': 'x\n' });
  rmSync(join(root, 'd'), { recursive: true });
  const to = commit('to', { a: '1\n2\n4\n', 'e/b': 'x\ny\n', 'latin\xe9': 'caf\xe9' });
  const { patch } = await diffTree(shadow, { from, to });
  git('checkout', '-q', from);
  rawGit(root, patch)('apply', '--index', '-');
  assert.equal(git('write-tree'), git('rev-parse', `${to}^{tree}`));
});

test('two equal trees differ in nothing', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const [from, to] = [commit('a', { a: '1' }), commit('b')];
  assert.deepEqual(await diffTree(shadow, { from, to }), { files: [], patch: Buffer.alloc(0), blobs: [] });
});

test('a first commit is compared with the empty tree', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const to = commit('a', { a: '1\n' });
  const { files } = await diffTree(shadow, { from: EMPTY_TREE, to });
  assert.deepEqual(files, [{ path: 'a', change: 'added', additions: 1, deletions: 0 }]);
});

test('names with newlines, quotes, colons and bytes that are no text come back as they are', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const names = [':100644 a', '"q"', '-d', 'a\nb', 'tab\t', '\xff\xfe'];
  const from = commit('from');
  const to = commit('to', Object.fromEntries(names.map((name) => [name, 'x'])));
  const { files } = await diffTree(shadow, { from, to });
  assert.deepEqual(
    files.map(({ path }) => path),
    [...names].sort(),
  );
});

test('a path limits the files and the patch, also where it is no text', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const from = commit('from');
  const to = commit('to', { 'd/\xff/a': '1\n', 'd/\xfe/a': '2\n', 'd/c': '3\n', e: '4\n' });
  const only = async (path: string) =>
    (await diffTree(shadow, { from, to }, { path: bytePathFromLatin1(path) })).files.map((file) => file.path);
  assert.deepEqual(await only('d/c'), ['d/c']);
  assert.deepEqual(await only('d'), ['d/c', 'd/\xfe/a', 'd/\xff/a']);
  assert.deepEqual(await only('d/\xff'), ['d/\xff/a']);
  const { patch } = await diffTree(shadow, { from, to }, { path: bytePathFromLatin1('e') });
  assert.match(patch.toString(), /\+4\n$/);
  assert.doesNotMatch(patch.toString(), /\+3/);
});

test('attributes in the trees change nothing in what is shown', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const from = commit('from', { '.gitattributes': '* -diff\n*.x diff=none eol=crlf ident\n', 'a.x': '1\n' });
  const to = commit('to', { 'a.x': '2\n' });
  const { patch } = await diffTree(shadow, { from, to });
  assert.match(patch.toString(), /-1\n\+2\n/);
});

test('a diff that is larger than the limit is refused by name, and its list of files can still be had', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const from = commit('from');
  const to = commit('to', { big: 'x\n'.repeat(10_000) });
  await assert.rejects(diffTree(shadow, { from, to }, { limit: 1000 }), (error) =>
    isDevLoopError(error, 'body_too_large'),
  );
  const { files } = await diffTree(shadow, { from, to }, { limit: 1000, filesOnly: true });
  assert.deepEqual(files, [{ path: 'big', change: 'added', additions: 10_000, deletions: 0 }]);
});

test('a file that became a folder is a deletion and an addition, and a rename likewise', async (t) => {
  const { root, shadow, commit } = shadowPlace(t);
  const from = commit('from', { a: '1\n', b: 'same\n' });
  rmSync(join(root, 'a'));
  renameSync(join(root, 'b'), join(root, 'c'));
  const to = commit('to', { 'a/b': '2\n' });
  const { files } = await diffTree(shadow, { from, to }, { filesOnly: true });
  assert.deepEqual(
    files.map(({ path, change }) => `${change} ${path}`),
    ['deleted a', 'added a/b', 'deleted b', 'added c'],
  );
});
