import assert from 'node:assert/strict';
import test from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { EMPTY_TREE } from '../../server/domain/file-tree.ts';
import { parseRunId, parseUnitId } from '../../server/domain/ids.ts';
import { attempts } from '../../server/vault/attempts.ts';
import { type AttemptFiles, saveAttempt } from '../../server/vault/save-attempt.ts';
import { treeIds } from '../../server/vault/tree-ids.ts';
import { projectVault } from '../support/project-vault.ts';

const UNIT = parseUnitId('store');

function attemptFiles(attempt: number, change: Partial<AttemptFiles> = {}): AttemptFiles {
  const author = { name: 'Coder Agent', email: 'coder@devloop.local' };
  const trailers = [{ key: 'DevLoop-Call', value: `c-${attempt}` }];
  return {
    unit: UNIT,
    round: 1,
    attempt,
    subject: `code(store): red · attempt ${attempt}`,
    author,
    trailers,
    files: ['units/store/**'],
    verdict: 'red',
    run: parseRunId(`run-${attempt}`),
    ...change,
  };
}

test('red attempts are kept beside main, in order, and can be compared', async (t) => {
  const { put, write, git } = await projectVault(t);
  const head = git('rev-parse', 'HEAD');
  for (const attempt of [1, 2, 3]) {
    put('units/store/code/x.js', `try ${attempt}\n`);
    put('elsewhere.txt', `${attempt}`);
    await write((vault) => saveAttempt(vault, attemptFiles(attempt)));
  }
  await write((vault) => saveAttempt(vault, attemptFiles(1, { round: 2, verdict: 'failed' })));
  await write((vault) => saveAttempt(vault, attemptFiles(1, { unit: parseUnitId('api'), verdict: 'timeout' })));
  const kept = await write((vault) => attempts(vault));
  assert.deepEqual(
    kept.map(({ unit, round, attempt, verdict, ref, parent }) => [unit, round, attempt, verdict, ref, parent === head]),
    [
      ['api', 1, 1, 'timeout', 'refs/devloop/attempts/api/1/1', true],
      ['store', 1, 1, 'red', 'refs/devloop/attempts/store/1/1', true],
      ['store', 1, 2, 'red', 'refs/devloop/attempts/store/1/2', true],
      ['store', 1, 3, 'red', 'refs/devloop/attempts/store/1/3', true],
      ['store', 2, 1, 'failed', 'refs/devloop/attempts/store/2/1', true],
    ],
  );
  assert.equal((await write((vault) => attempts(vault, parseUnitId('api')))).length, 1);
  assert.equal(git('log', '--format=%s', 'main'), 'init: project');
  const [one, two] = kept.slice(1, 3).map(({ sha }) => sha);
  assert.match(git('diff', one ?? '', two ?? ''), /-try 1\n\+try 2/);
  assert.equal(git('ls-tree', '-r', '--name-only', one ?? ''), '.gitignore\nproject.json\nunits/store/code/x.js');
  assert.equal(git('log', '-1', '--format=%(trailers:key=DevLoop-Verdict,valueonly)', one ?? '').trim(), 'red');
  assert.equal(git('fsck', '--strict'), '');
});

test('an attempt that is kept already is given again, also after a restart', async (t) => {
  const project = await projectVault(t);
  project.put('units/store/code/x.js', 'first');
  const first = await project.write((vault) => saveAttempt(vault, attemptFiles(1)));
  project.put('units/store/code/x.js', 'second');
  project.reopen();
  assert.deepEqual(await project.write((vault) => saveAttempt(vault, attemptFiles(1))), first);
  assert.equal(project.git('show', `${first.sha}:units/store/code/x.js`), 'first');
});

test('a commit after attempts has the files of its own scope only', async (t) => {
  const { put, write, commit, git } = await projectVault(t);
  put('units/store/code/x.js', 'red');
  await write((vault) => saveAttempt(vault, attemptFiles(1)));
  put('prd/prd.md');
  await commit({ files: ['prd/**'] });
  assert.equal(git('ls-tree', '-r', '--name-only', 'HEAD'), '.gitignore\nprd/prd.md\nproject.json');
  assert.equal(git('status', '--porcelain', '-uall'), '?? units/store/code/x.js');
});

test('ids of folders from the disk are those of the commit that follows', async (t) => {
  const { put, write, commit, git } = await projectVault(t);
  put('units/store/code/x.js');
  put('units/store/tests/deep/x.test.js');
  const folders = ['units/store/code', 'units/store/tests', 'units/absent/code'].map(bytePathFromText);
  const ids = await write((vault) => treeIds(vault, folders));
  assert.equal(git('count-objects', '-v').match(/in-pack: (\d+)/)?.[1], '4');
  await commit({ files: ['units/**'] });
  assert.deepEqual(ids, [
    git('rev-parse', 'HEAD:units/store/code'),
    git('rev-parse', 'HEAD:units/store/tests'),
    EMPTY_TREE,
  ]);
});
