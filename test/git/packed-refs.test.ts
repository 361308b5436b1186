import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { packedRefsWithout, readPackedRefs } from '../../server/git/packed-refs.ts';
import { rawRepository } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

function packedRepository(t: TestContext) {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  git('commit', '-q', '--allow-empty', '-m', 'one');
  for (const name of ['a', 'b', 'c']) git('tag', '-a', '-m', name, name);
  git('tag', 'light');
  git('pack-refs', '--all');
  return { git, gitDir: join(folder, '.git') };
}

test('packed refs are what git packed, without the peeled values', (t) => {
  const { git, gitDir } = packedRepository(t);
  const listed = git('for-each-ref', '--format=%(objectname) %(refname)').split('\n');
  assert.deepEqual(
    [...readPackedRefs(gitDir)].map(([ref, oid]) => `${oid} ${ref}`),
    listed,
  );
});

test('without some of them the file still serves git, and their peeled values are gone with them', (t) => {
  const { git, gitDir } = packedRepository(t);
  const before = git('for-each-ref', '--format=%(refname) %(*objectname)').split('\n');
  writeFileSync(join(gitDir, 'packed-refs'), packedRefsWithout(gitDir, new Set(['refs/tags/a', 'refs/tags/light'])));
  const kept = before.filter((line) => !/refs\/tags\/(a|light) /.test(line));
  assert.deepEqual(git('for-each-ref', '--format=%(refname) %(*objectname)').split('\n'), kept);
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
});

test('a repository without the file has none packed', (t) => {
  const folder = scratchFolder(t);
  rawRepository(folder);
  assert.equal(readPackedRefs(join(folder, '.git')).size, 0);
  assert.equal(packedRefsWithout(join(folder, '.git'), new Set(['x'])).length, 0);
});

test('a line that is neither a ref, a peeled value nor a comment is damage', (t) => {
  const { gitDir } = packedRepository(t);
  for (const line of ['nonsense', `${'g'.repeat(40)} refs/tags/x`, `${'1'.repeat(40)}`]) {
    writeFileSync(join(gitDir, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted\n${line}\n`);
    assert.throws(
      () => readPackedRefs(gitDir),
      (error) => isDevLoopError(error, 'vault_damaged'),
      line,
    );
  }
});
