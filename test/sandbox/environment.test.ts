import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callEnvironment, createSandbox } from '../../server/sandbox/index.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const places = { shim: '/shim', path: '/usr/bin:relative:/bin:/usr/bin', home: '/h', tmp: '/t' };

test('the refusing git and the own Node come first in PATH, and only whole paths are in it', () => {
  const path = callEnvironment(places).PATH?.split(':') ?? [];
  assert.deepEqual(
    path,
    ['/shim', join(process.execPath, '..'), '/usr/bin', '/bin'].filter((one, at, all) => all.indexOf(one) === at),
  );
});

test('nothing else of the server passes', () => {
  const { PATH, ...rest } = callEnvironment(places);
  assert.ok(PATH);
  assert.deepEqual(rest, {
    HOME: '/h',
    TMPDIR: '/t',
    LANG: 'C.UTF-8',
    CI: '1',
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
  });
});

test('what a role was given passes, what steers git, Node or the loader does not, nor what the bounds themselves set', () => {
  const extra = {
    PORT: '1',
    MY_KEY: 'k',
    GIT_DIR: '/x',
    LD_PRELOAD: '/x',
    NODE_OPTIONS: '-r x',
    NODE_TEST_CONTEXT: 'child',
    BASH_ENV: '/x',
    HOME: '/x',
    PATH: '/x',
  };
  const env = callEnvironment(places, extra);
  assert.deepEqual([env.PORT, env.MY_KEY, env.HOME], ['1', 'k', '/h']);
  for (const name of ['GIT_DIR', 'LD_PRELOAD', 'NODE_OPTIONS', 'NODE_TEST_CONTEXT', 'BASH_ENV'])
    assert.equal(env[name], undefined);
  assert.notEqual(env.PATH, '/x');
});

test('git refuses with a message, whatever it is asked', async (t) => {
  const shim = join(scratchFolder(t), 'shim');
  const sandbox = await createSandbox({ mode: 'off', path: '/usr/bin:/bin', hidden: [], readable: [], shim });
  const env = callEnvironment({ ...places, shim });
  for (const argv of [['status'], ['-C', '/', 'log'], []]) {
    const { status, stderr } = spawnSync('git', argv, { env, encoding: 'utf8' });
    assert.deepEqual(
      [status, stderr],
      [126, 'git is not available here: what you write is committed for you when your call is done\n'],
    );
  }
  assert.deepEqual([sandbox.layers, sandbox.why_not], [['environment', 'git-shim'], 'switched off']);
});

test('without bubblewrap, auto says why and required refuses', async (t) => {
  const folder = scratchFolder(t);
  const options = { path: folder, hidden: [], readable: [], shim: join(folder, 'shim') };
  const auto = await createSandbox({ ...options, mode: 'auto' });
  assert.deepEqual([auto.layers, auto.why_not], [['environment', 'git-shim'], 'bubblewrap (bwrap) is not in PATH']);
  const command = {
    argv: ['true'],
    cwd: '/',
    root: '/',
    writable: [],
    protected: [],
    hidden: [],
    network: 'own',
  } as const;
  assert.deepEqual(auto.confine(command), ['true']);
  await assert.rejects(createSandbox({ ...options, mode: 'required' }), {
    code: 'config_invalid',
    message: /sandbox is required/,
  });
});

test('a bubblewrap that does not work is found out by trying it', async (t) => {
  const folder = scratchFolder(t);
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "no permission for a namespace" >&2\nexit 1\n');
  chmodSync(join(folder, 'bwrap'), 0o755);
  const sandbox = await createSandbox({
    mode: 'auto',
    path: `${folder}:/usr/bin:/bin`,
    hidden: [],
    readable: [],
    shim: join(folder, 'shim'),
  });
  assert.match(sandbox.why_not ?? '', /bwrap does not work here: no permission for a namespace$/);
});
