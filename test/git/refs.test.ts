import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { type Oid, parseOid, ZERO_OID } from '../../server/domain/ids.ts';
import { prepareRefs, updateRefs } from '../../server/git/ref-transaction.ts';
import { listRefs, readHead, readRef } from '../../server/git/refs.ts';
import { removeStaleLocks } from '../../server/git/stale-locks.ts';
import { rawRepository } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const MAIN = 'refs/heads/main';

function repository(t: TestContext, name = '.') {
  const folder = join(scratchFolder(t), name);
  mkdirSync(folder, { recursive: true });
  const git = rawRepository(folder);
  const commit = (message: string): Oid => parseOid(git('commit-tree', '-m', message, git('write-tree')));
  const [one, two] = [commit('one'), commit('two')];
  git('update-ref', MAIN, one);
  const gitDir = join(folder, '.git');
  const shown = () => git('for-each-ref', '--format=%(objectname) %(refname)');
  return { folder, git, gitDir, one, two, shown };
}

const create = (ref: string, oid: Oid) => ({ ref, old: ZERO_OID, new: oid });
const lockFiles = (gitDir: string) =>
  readdirSync(gitDir, { recursive: true }).filter((name) => String(name).endsWith('.lock'));

test('refs are read as git lists them, loose and packed', async (t) => {
  const { git, gitDir, one, two, shown } = repository(t);
  git('tag', '-a', '-m', 'x', 'annotated', one);
  git('update-ref', 'refs/devloop/attempts/u/1/1', two);
  const ours = () => [...listRefs(gitDir, 'refs/')].map(([ref, oid]) => `${oid} ${ref}`).join('\n');
  assert.equal(ours(), shown());
  git('pack-refs', '--all');
  git('update-ref', 'refs/heads/other', two);
  git('update-ref', MAIN, two);
  assert.equal(ours(), shown());
  assert.equal(readRef(gitDir, MAIN), two);
  assert.equal(readRef(gitDir, 'refs/devloop/attempts/u/1/1'), two);
  assert.equal(readRef(gitDir, 'refs/heads/absent'), undefined);
  assert.deepEqual([...listRefs(gitDir, 'refs/devloop/')], [['refs/devloop/attempts/u/1/1', two]]);
});

test('no ref is missed that git packs just then', async (t) => {
  const { folder, gitDir, one } = repository(t);
  const script = `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do git update-ref refs/heads/b$i ${one}; git pack-refs --all; done`;
  const packing = spawn('sh', ['-c', script], { cwd: folder, stdio: 'ignore' });
  let seen: readonly string[] = [];
  while (packing.exitCode === null) {
    const listed = listRefs(gitDir, 'refs/');
    assert.deepEqual(
      seen.filter((ref) => !listed.has(ref)),
      [],
    );
    seen = [...listed.keys()];
    await nextTurn();
  }
  assert.equal(listRefs(gitDir, 'refs/').size, 13);
});

test('refs are read in a folder whose name is not ASCII', (t) => {
  const { git, gitDir, two, shown } = repository(t, 'mes tâches 待办');
  git('update-ref', 'refs/devloop/attempts/u/1/1', two);
  const ours = [...listRefs(gitDir, 'refs/')].map(([ref, oid]) => `${oid} ${ref}`).join('\n');
  assert.equal(ours, shown());
});

test('HEAD is a branch or a commit', (t) => {
  const { git, gitDir, one } = repository(t);
  assert.deepEqual(readHead(gitDir), { kind: 'branch', ref: MAIN });
  git('update-ref', '--no-deref', 'HEAD', one);
  assert.deepEqual(readHead(gitDir), { kind: 'detached', oid: one });
  writeFileSync(join(gitDir, 'HEAD'), 'nonsense');
  assert.throws(
    () => readHead(gitDir),
    (error) => isDevLoopError(error, 'vault_damaged'),
  );
});

test('a transaction moves, makes and deletes refs, whether they are packed or not', async (t) => {
  const { git, gitDir, one, two, shown } = repository(t);
  await updateRefs({
    gitDir,
    updates: [
      { ref: MAIN, old: one, new: two },
      create('refs/tags/t', one),
      create('refs/devloop/attempts/u/1/1', one),
    ],
  });
  assert.equal(shown(), [`${one} refs/devloop/attempts/u/1/1`, `${two} ${MAIN}`, `${one} refs/tags/t`].join('\n'));
  git('tag', '-a', '-m', 'x', 'annotated', one);
  git('pack-refs', '--all');
  git('update-ref', 'refs/devloop/attempts/u/1/2', two);
  const gone = { new: ZERO_OID };
  await updateRefs({
    gitDir,
    updates: [
      { ref: 'refs/tags/annotated', old: readRef(gitDir, 'refs/tags/annotated') ?? ZERO_OID, ...gone },
      { ref: 'refs/devloop/attempts/u/1/1', old: one, ...gone },
      { ref: 'refs/devloop/attempts/u/1/2', old: two, ...gone },
    ],
  });
  assert.equal(shown(), [`${two} ${MAIN}`, `${one} refs/tags/t`].join('\n'));
  assert.deepEqual(readdirSync(join(gitDir, 'refs/devloop')), []);
  assert.deepEqual(lockFiles(gitDir), []);
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
});

test('where one old value is not as expected, nothing moves', async (t) => {
  const { gitDir, one, two, shown } = repository(t);
  const before = shown();
  for (const wrong of [
    { ref: MAIN, old: two, new: one },
    create(MAIN, two),
    { ref: 'refs/tags/absent', old: one, new: two },
  ]) {
    await assert.rejects(updateRefs({ gitDir, updates: [create('refs/tags/t', one), wrong] }), (error) =>
      isDevLoopError(error, 'ref_moved'),
    );
  }
  assert.equal(shown(), before);
  assert.deepEqual(lockFiles(gitDir), []);
});

test('nothing moves before commit, and a git meanwhile finds the refs locked', async (t) => {
  const { git, gitDir, one, two, shown } = repository(t);
  const before = shown();
  const prepared = await prepareRefs({ gitDir, updates: [{ ref: MAIN, old: one, new: two }] });
  assert.equal(shown(), before);
  assert.throws(() => git('update-ref', MAIN, two), /Unable to create .*main\.lock/);
  prepared.abort();
  assert.equal(shown(), before);
  git('update-ref', MAIN, two);
});

test('a lock of another git is waited for, and named when it stays', async (t) => {
  const { gitDir, one, two } = repository(t);
  const lock = join(gitDir, `${MAIN}.lock`);
  writeFileSync(lock, '');
  const move = { gitDir, updates: [{ ref: MAIN, old: one, new: two }] };
  await assert.rejects(
    updateRefs({ ...move, wait_ms: 20 }),
    (error) => isDevLoopError(error, 'vault_busy') && error.data.lock === lock,
  );
  const moving = updateRefs(move);
  rmSync(lock);
  await moving;
  assert.equal(readRef(gitDir, MAIN), two);
});

test('nothing is written or read through a link that somebody put among the refs', async (t) => {
  const { folder, gitDir, one } = repository(t);
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(gitDir, 'refs/devloop'));
  await assert.rejects(updateRefs({ gitDir, updates: [create('refs/devloop/x', one)] }), (error) =>
    isDevLoopError(error, 'path_refused'),
  );
  assert.deepEqual(readdirSync(outside), []);
  symlinkSync(join(folder, 'elsewhere'), join(gitDir, 'refs/tags/link'));
  assert.throws(() => readRef(gitDir, 'refs/tags/link'));
  execFileSync('mkfifo', [join(gitDir, 'refs/tags/pipe')]);
  assert.throws(() => readRef(gitDir, 'refs/tags/pipe'));
});

test('a ref file or packed-refs that was scribbled on is said to be damaged', (t) => {
  const { git, gitDir } = repository(t);
  for (const text of ['', 'ref: refs/heads/other\n', 'abc\n']) {
    writeFileSync(join(gitDir, MAIN), text);
    assert.throws(
      () => readRef(gitDir, MAIN),
      (error) => isDevLoopError(error, 'vault_damaged'),
    );
  }
  rmSync(join(gitDir, MAIN));
  git('pack-refs', '--all');
  writeFileSync(join(gitDir, 'packed-refs'), '# pack-refs with: peeled\ngarbage\n');
  assert.throws(
    () => readRef(gitDir, MAIN),
    (error) => isDevLoopError(error, 'vault_damaged'),
  );
});

test('locks that a killed git has left are removed; one that a living process has open is not', async (t) => {
  const { gitDir } = repository(t);
  const stale = ['index.lock', 'refs/heads/main.lock', 'refs/devloop/attempts/u/1/1.lock'];
  mkdirSync(join(gitDir, 'refs/devloop/attempts/u/1'), { recursive: true });
  const minuteAgo = new Date(Date.now() - 60_000);
  for (const name of [...stale, 'packed-refs.lock']) {
    writeFileSync(join(gitDir, name), '');
    utimesSync(join(gitDir, name), minuteAgo, minuteAgo);
  }
  const holder = spawn('sh', ['-c', 'exec 9<"$1"; echo ready; exec sleep 60', 'sh', join(gitDir, 'packed-refs.lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => holder.kill());
  await once(holder.stdout, 'data');
  assert.deepEqual([...(await removeStaleLocks(gitDir))].sort(), stale.toSorted());
  assert.deepEqual(lockFiles(gitDir), ['packed-refs.lock']);
});
