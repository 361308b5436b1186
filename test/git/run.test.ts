import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { checkGit, runGit } from '../../server/git/run.ts';
import { ensureShadowDir } from '../../server/git/shadow-dir.ts';
import { type RawGit, rawRepository } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

function place(t: TestContext): {
  readonly root: string;
  readonly shadow: string;
  readonly head: string;
  readonly git: RawGit;
} {
  const folder = scratchFolder(t);
  const root = join(folder, 'project');
  const git = rawRepository(root);
  git('commit', '-q', '--allow-empty', '-m', 'first');
  return {
    root,
    git,
    head: git('rev-parse', 'HEAD'),
    shadow: ensureShadowDir({ gitDir: join(root, '.git'), stateDir: join(folder, 'state') }),
  };
}

test('a command ends with its status and both outputs', async (t) => {
  const { shadow, head } = place(t);
  assert.deepEqual(await runGit(shadow, ['rev-parse', 'refs/heads/main']), {
    exit: 0,
    stdout: `${head}\n`,
    stderr: '',
  });
});

test('status 1 without a word is a failure unless it is expected', async (t) => {
  const { shadow } = place(t);
  const args = ['rev-parse', '--verify', '--quiet', 'refs/heads/none'];
  await assert.rejects(runGit(shadow, args), (error) => isDevLoopError(error, 'git_failed') && error.data.exit === 1);
  assert.deepEqual(await runGit(shadow, args, { okExits: [0, 1] }), { exit: 1, stdout: '', stderr: '' });
});

test('words on stderr are no failure where the status is 0', async (t) => {
  const { shadow, head } = place(t);
  const { stderr } = await runGit(shadow, ['fsck', '--progress', '--strict', head]);
  assert.match(stderr, /Checking/);
});

test('a missing object is named as damage', async (t) => {
  const { root, shadow, head } = place(t);
  rmSync(join(root, '.git/objects', head.slice(0, 2)), { recursive: true });
  await assert.rejects(runGit(shadow, ['rev-list', head]), (error) => isDevLoopError(error, 'vault_damaged'));
});

test('a git that hangs on a FIFO is ended in time', async (t) => {
  const { root, shadow, head } = place(t);
  const file = join(root, '.git/objects', head.slice(0, 2), head.slice(2));
  rmSync(file);
  execFileSync('mkfifo', [file]);
  const before = performance.now();
  await assert.rejects(runGit(shadow, ['rev-list', head], { timeout_ms: 200 }), (error) =>
    isDevLoopError(error, 'timeout'),
  );
  assert.ok(performance.now() - before < 2000);
});

test('a caller that gives up is answered at once', async (t) => {
  const { shadow } = place(t);
  const gaveUp = runGit(shadow, ['rev-parse', 'HEAD'], { signal: AbortSignal.abort() });
  await assert.rejects(gaveUp, (error) => isDevLoopError(error, 'git_failed'));
});

test('git at start is found and new enough', async (t) => {
  assert.match((await checkGit(scratchFolder(t))).version, /^\d+\.\d+/);
});

test('arguments with blanks, quotes and shell signs arrive as they are', async (t) => {
  const { shadow } = place(t);
  const odd = 'a b "c" $(id) `id` ; \'d\' é';
  const { stdout } = await runGit(shadow, ['rev-parse', '--sq-quote', odd]);
  assert.equal(execFileSync('sh', ['-c', `printf %s ${stdout.trim()}`]).toString(), odd);
});

test('an inherited git dir or configuration has no effect', async (t) => {
  const { shadow, head } = place(t);
  const other = join(scratchFolder(t), 'other');
  rawRepository(other)('commit', '-q', '--allow-empty', '-m', 'other');
  const config = join(other, 'global');
  writeFileSync(config, '[core]\n\tabbrev = 4\n');
  const planted = {
    GIT_DIR: join(other, '.git'),
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.bare',
    GIT_CONFIG_VALUE_0: 'x',
  };
  Object.assign(process.env, planted);
  t.after(() => {
    for (const name of Object.keys(planted)) delete process.env[name];
  });
  assert.equal((await runGit(shadow, ['rev-parse', 'refs/heads/main'])).stdout, `${head}\n`);
  assert.equal((await runGit(shadow, ['config', '--list', '--show-origin'])).stdout.includes(config), false);
});
