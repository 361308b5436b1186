import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitCall, OVERRIDES } from '../../server/git/environment.ts';
import { readGit } from '../../server/git/stream.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('nothing of the server’s own environment is handed to git', () => {
  const { env } = gitCall('/x', ['version']);
  process.env.DEVLOOP_SECRET_FOR_TEST = 'secret';
  assert.deepEqual(gitCall('/x', ['version']).env, env);
  delete process.env.DEVLOOP_SECRET_FOR_TEST;
  assert.equal(env.HOME, '/nonexistent');
  assert.ok(!Object.values(env).includes('secret'));
});

test('no protocol is allowed but those that a call names', () => {
  assert.equal(gitCall('/x', ['push']).env.GIT_ALLOW_PROTOCOL, 'none');
  const push = gitCall('/x', ['push'], { protocols: ['https', 'ssh'] });
  assert.equal(push.env.GIT_ALLOW_PROTOCOL, 'https:ssh');
  assert.ok(push.args.indexOf('protocol.https.allow=always') > push.args.indexOf('protocol.allow=never'));
});

test('git takes every override and says nothing about any', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  commit('a');
  const listed = (await readGit(shadow, ['config', '--list', '--show-scope', '-z'])).toString().split('\0');
  const commands = listed.filter((_, i) => listed[i - 1] === 'command').map((entry) => entry.replace('\n', '='));
  assert.deepEqual(
    commands,
    OVERRIDES.map((setting) => setting.replace(/^[^=]+/, (key) => key.toLowerCase())),
  );
  assert.ok(!listed.includes('global') && !listed.includes('system'));
  const { args, env } = gitCall(shadow, ['rev-list', '--max-count=1', 'HEAD']);
  const said = execFileSync('sh', ['-c', 'git "$@" 2>&1 >/dev/null', 'sh', ...args], { cwd: shadow, env });
  assert.equal(said.toString(), '');
});

test('the repository does not pass for a shallow one', async (t) => {
  const { shadow } = shadowPlace(t);
  assert.equal((await readGit(shadow, ['rev-parse', '--is-shallow-repository'])).toString(), 'false\n');
});

test('git of the tree, or of a relative folder, is never the one that runs', () => {
  const { env } = gitCall(join('/', 'x'), ['version']);
  for (const folder of env.PATH?.split(':') ?? []) assert.ok(folder.startsWith('/'), folder);
});
