import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { gitBytes } from '../support/git-bytes.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const ENTRY = join(import.meta.dirname, '../../server/workspace/index.ts');
const ERRORS = join(import.meta.dirname, '../../server/domain/errors.ts');

/** Every operation; a plan that the user's git has overtaken is made anew. Prints what was done. */
const WORK = `
const { openWorkspaces } = await import(${JSON.stringify(ENTRY)});
const { isDevLoopError } = await import(${JSON.stringify(ERRORS)});
const { writeFileSync } = await import('node:fs');
const [root, folder] = process.argv.slice(1);
const workspace = openWorkspaces({ stateDir: folder + '/state', home: folder + '/home', maxTurns: 2, exclude: [], include: [], largeFileBytes: 1000, now: () => new Date() }).open(root);
const done = { points: 0, restores: 0 };
async function restored(plan) {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      const { id, digest } = await plan();
      const { changed } = await workspace.applyRestore(id, digest);
      if (changed > 0) done.restores++;
      return;
    } catch (error) {
      if (!isDevLoopError(error, 'plan_stale')) throw error;
    }
  }
  throw new Error('every plan was overtaken');
}
for (let i = 0; i < 4; i++) {
  await workspace.runTurn({}, async () => {
    for (const at of ['', '/sub']) writeFileSync(root + at + '/agent', 'turn ' + i);
  });
  // What the user changed in the turn would go back with it, also between two of the user's commands.
  const only = ['agent', 'sub/agent'].map((path) => ({ path }));
  await restored(() => workspace.planPreTurn(0, { scope: 'agent', only }));
}
await workspace.status();
await workspace.verify();
await workspace.purge('sub/agent');
await workspace.prune();
done.points = (await workspace.points()).length;
await workspace.close();
console.log(JSON.stringify(done));`;

/** Calls that can change something below a folder. */
const CHANGES =
  'trace=openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,mknodat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,fchownat,utimensat';

/** A folder of the user's that is a repository and holds one; `agent` is for turns, `mine` for the user. */
function userFolder(folder: string): { readonly root: string; readonly repositories: readonly string[] } {
  const root = join(folder, 'user/mine');
  const repositories = [root, join(root, 'sub')];
  mkdirSync(join(root, 'sub'), { recursive: true });
  for (const at of repositories) {
    rawGit(at, ['init', '-q']);
    for (const name of ['agent', 'mine']) writeFileSync(join(at, name), '1');
    rawGit(at, ['add', 'agent', 'mine']);
    rawGit(at, ['commit', '-qm', 'x']);
  }
  return { root, repositories };
}

interface Work {
  readonly done: { readonly points: number; readonly restores: number };
  /** Calls that would have changed something below a .git. */
  readonly wrote: readonly string[];
}

/** Does the work under strace, and meanwhile again and again what the user does. */
async function tracedWork(folder: string, root: string, user: (round: number) => void): Promise<Work> {
  const log = join(folder, 'strace');
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WORK];
  const child = spawn('strace', ['-f', '-y', '-e', CHANGES, '-o', log, ...node, root, folder]);
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const closed = once(child, 'close');
  for (let round = 0; child.exitCode === null; round++) {
    user(round);
    await turnOfTheLoop();
  }
  await closed;
  assert.equal(child.exitCode, 0, errors);
  const seen = readFileSync(log, 'latin1')
    .split('\n')
    .filter((line) => line.includes(root) && /[/"]\.git(["/>]|$)/.test(line));
  const wrote = seen.filter((line) => !/O_RDONLY/.test(line) || /O_CREAT|O_TRUNC/.test(line));
  assert.ok(seen.length > wrote.length, 'the trace shows what is read below a .git');
  return { done: JSON.parse(out) as Work['done'], wrote };
}

test('with nobody else at work, every byte below every .git is the same after all operations', () =>
  inTempFolder(async (folder) => {
    const { root } = userFolder(folder);
    const before = gitBytes(root);
    const { done, wrote } = await tracedWork(folder, root, () => {});
    assert.ok(done.points > 0 && done.restores === 4, JSON.stringify(done));
    assert.deepEqual(wrote, []);
    assert.equal(gitBytes(root), before);
  }));

test('while the user’s git looks, stashes and commits, nothing below a .git is opened for writing and every command succeeds', (t) =>
  inTempFolder(async (folder) => {
    const { root, repositories } = userFolder(folder);
    let rounds = 0;
    const { done, wrote } = await tracedWork(folder, root, (round) => {
      const at = repositories[round % 2] ?? root;
      writeFileSync(join(at, 'mine'), `round ${round}`);
      rawGit(at, ['status', '--porcelain']);
      rawGit(at, ['stash', 'push', '-q', '--', 'mine']);
      rawGit(at, ['stash', 'pop', '-q']);
      rawGit(at, ['commit', '-qm', `round ${round}`, '--', 'mine']);
      rounds++;
    });
    t.diagnostic(`${rounds} rounds of four commands, ${JSON.stringify(done)}`);
    assert.ok(rounds >= 4, `${rounds} rounds`);
    assert.ok(done.points > 0 && done.restores === 4, JSON.stringify(done));
    assert.deepEqual(wrote, []);
    for (const at of repositories) {
      rawGit(at, ['fsck', '--strict']);
      assert.equal(rawGit(at, ['stash', 'list']), '');
    }
    const commits = repositories.map((at) => Number(rawGit(at, ['rev-list', '--count', 'HEAD'])));
    assert.equal((commits[0] ?? 0) + (commits[1] ?? 0), rounds + 2);
  }));
