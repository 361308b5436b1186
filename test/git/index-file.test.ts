import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseOid } from '../../server/domain/ids.ts';
import { lockIndex } from '../../server/git/index-file.ts';
import { encodeEntries, encodeIndex, type IndexEntry } from '../../server/git/index-format.ts';
import { hashObject } from '../../server/git/objects/object-id.ts';
import { openObjectStore } from '../../server/git/objects/object-store.ts';
import { openObjectWriter } from '../../server/git/objects/object-writer.ts';
import { parseIndex } from '../../server/git/parse-index.ts';
import { type GeneratedFile, generatedTree } from '../support/arbitrary-tree.ts';
import { rawGitBytes, rawRepository } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { writeTreeObjects } from '../support/write-tree-objects.ts';

function repository(t: TestContext) {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  return { folder, git, gitDir: join(folder, '.git'), index: () => readFileSync(join(folder, '.git', 'index')) };
}

const entriesOf = (files: readonly GeneratedFile[]): IndexEntry[] =>
  files
    .map(({ path, mode, content }) => ({ path: bytePathFromLatin1(path), mode, oid: hashObject('blob', content) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

const indexOf = (entries: readonly IndexEntry[]) =>
  encodeIndex({ chunks: [encodeEntries(entries, { uid: 1, gid: 2 })], count: entries.length });

test('git takes our index, and makes the same tree of it that we made', async (t) => {
  const { folder, git, gitDir } = repository(t);
  const store = openObjectStore(join(gitDir, 'objects'));
  await fc.assert(
    fc.asyncProperty(generatedTree, async (files) => {
      const writer = openObjectWriter(store, { durable: false });
      const root = writeTreeObjects(writer, files);
      await writer.finish();
      const bytes = indexOf(entriesOf(files));
      assert.ok((await lockIndex(gitDir, 0))?.replace(bytes));
      assert.equal(rawGitBytes(folder)('write-tree').toString().trim(), root);
    }),
    { numRuns: 20 },
  );
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
});

test('an index that git wrote is read, in every version, with conflicts and flags', (t) => {
  const { folder, git, index } = repository(t);
  const paths = ['a', 'a.b', 'a/b/c', 'a/b/cd', `deep/${'x'.repeat(200)}/y`, 'z'.repeat(130)].map((name) =>
    name.replace(/^a\//, 'aa/'),
  );
  const blob = git('hash-object', '-w', '--stdin');
  for (const path of paths) git('update-index', '--add', '--cacheinfo', `100755,${blob},${path}`);
  for (const version of ['2', '3', '4']) {
    git('update-index', '--index-version', version);
    // A flag that needs the longer form of an entry.
    if (version !== '2') git('update-index', '--skip-worktree', 'a');
    const listed = rawGitBytes(folder)('ls-files', '-s', '-z').toString('latin1');
    const ours = parseIndex(index()).entries.map(
      ({ mode, oid, stage, path }) => `${mode.toString(8)} ${oid} ${stage}\t${path}\0`,
    );
    assert.equal(ours.join(''), listed);
    git('update-index', '--no-skip-worktree', 'a');
  }
});

test('a split index names the file that has the rest', (t) => {
  const { git, index } = repository(t);
  git('update-index', '--add', '--cacheinfo', `100644,${git('hash-object', '-w', '--stdin')},a`);
  assert.equal(parseIndex(index()).shared, undefined);
  git('update-index', '--split-index');
  assert.match(parseIndex(index()).shared ?? '', /^[0-9a-f]{40}$/);
});

test('what was encoded parses to the same entries, whatever the paths', () => {
  fc.assert(
    fc.property(generatedTree, (files) => {
      const entries = entriesOf(files);
      const parsed = parseIndex(indexOf(entries)).entries;
      assert.deepEqual(
        parsed,
        entries.map(({ path, mode, oid }) => ({ path, mode: Number.parseInt(mode, 8), oid, stage: 0 })),
      );
    }),
  );
});

test('bytes that are no index, or only a part of one, are said to be damaged', () => {
  const entry: IndexEntry = { path: bytePathFromLatin1('file'), mode: '100644', oid: parseOid('1'.repeat(40)) };
  const whole = indexOf([entry]);
  const newer = Buffer.from(whole);
  newer[7] = 5;
  for (const bad of [Buffer.alloc(0), Buffer.from('DIRC'), whole.subarray(0, 70), whole.subarray(0, 77), newer]) {
    assert.throws(
      () => parseIndex(bad),
      (error) => isDevLoopError(error, 'vault_damaged'),
    );
  }
});

test('an index is not written while another git holds its lock', async (t) => {
  const { gitDir, index } = repository(t);
  const lock = join(gitDir, 'index.lock');
  writeFileSync(lock, 'theirs');
  const bytes = indexOf([]);
  assert.equal(await lockIndex(gitDir, 30), undefined);
  assert.equal(readFileSync(lock, 'utf8'), 'theirs');
  const waiting = lockIndex(gitDir, 5000);
  rmSync(lock);
  const pending = await waiting;
  assert.ok(existsSync(lock));
  assert.equal(pending?.replace(bytes), true);
  assert.deepEqual(index(), bytes);
  pending.drop();
  (await lockIndex(gitDir, 0))?.drop();
  assert.ok(!existsSync(lock));
});
