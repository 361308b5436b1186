import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import type { Oid } from '../../server/domain/ids.ts';
import { HELPER, push, secretOf } from '../../server/git/push.ts';
import { readGit } from '../../server/git/stream.ts';
import { shadowPlace } from '../support/shadow-place.ts';
import { sshRemote } from '../support/ssh-remote.ts';

const MAIN = 'refs/heads/main';

test('what is pushed is there under its name, and a second push says that it is', async (t) => {
  const { shadow, commit, git } = shadowPlace(t);
  const remote = sshRemote(t);
  const first = commit('a', { a: '1' });
  const send = (refs: Readonly<Record<string, Oid>>) =>
    push(shadow, { url: remote.url, refs: new Map(Object.entries(refs)) });
  assert.deepEqual(await send({ [MAIN]: first }), [{ ref: MAIN, outcome: 'made' }]);
  const second = commit('b', { a: '2' });
  git('tag', '-am', 'one', 'v1');
  const tag = git('rev-parse', 'v1') as Oid;
  assert.deepEqual(await send({ [MAIN]: second, 'refs/tags/v1': tag }), [
    { ref: MAIN, outcome: 'moved' },
    { ref: 'refs/tags/v1', outcome: 'made' },
  ]);
  assert.deepEqual(await send({ [MAIN]: second }), [{ ref: MAIN, outcome: 'same' }]);
  assert.deepEqual(
    [remote.git('rev-parse', MAIN), remote.git('rev-parse', 'v1'), remote.git('fsck', '--strict')],
    [second, tag, ''],
  );
});

test('nothing is pushed by force, and what was refused is named with the reason', async (t) => {
  const { shadow, commit, git } = shadowPlace(t);
  const remote = sshRemote(t);
  const theirs = commit('theirs', { a: '1' });
  await push(shadow, { url: remote.url, refs: new Map([[MAIN, theirs]]) });
  const ours = git('commit-tree', '-m', 'ours', 'HEAD^{tree}') as Oid;
  const refs = new Map<string, Oid>([
    [MAIN, ours],
    ['refs/heads/other', ours],
  ]);
  await assert.rejects(push(shadow, { url: remote.url, refs }), (error) => {
    assert.ok(isDevLoopError(error, 'remote_refused'));
    assert.match(JSON.stringify(error.data.refs), /refs\/heads\/main.*non-fast-forward/);
    return /another branch/.test(error.hint ?? '');
  });
  assert.equal(remote.git('rev-parse', MAIN), theirs);
});

test('words of the other side come through where it refuses by a hook of its own', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const remote = sshRemote(t);
  const hook = join(remote.folder, 'hooks/pre-receive');
  writeFileSync(hook, '#!/bin/sh\necho "files over 100 MB are not taken" >&2\nexit 1\n');
  chmodSync(hook, 0o755);
  const refs = new Map([[MAIN, commit('a')]]);
  await assert.rejects(push(shadow, { url: remote.url, refs }), (error) => {
    return isDevLoopError(error, 'remote_refused') && /pre-receive hook declined/.test(error.message);
  });
  rmSync(remote.folder, { recursive: true });
  await assert.rejects(push(shadow, { url: remote.url, refs }), (error) => isDevLoopError(error, 'remote_refused'));
});

test('no other protocol is spoken, whatever an address says', async (t) => {
  const { folder, shadow, commit } = shadowPlace(t);
  const remote = sshRemote(t);
  const refs = new Map([[MAIN, commit('a')]]);
  for (const url of [remote.folder, `file://${remote.folder}`, `ext::sh -c touch% ${join(folder, 'ran')}`])
    await assert.rejects(push(shadow, { url, refs }), (error) => isDevLoopError(error, 'remote_refused'));
  assert.ok(!existsSync(join(folder, 'ran')));
  assert.equal(remote.git('for-each-ref'), '');
});

test('no hook runs, no setting changes the address, and ssh is asked no question and given no secret', async (t) => {
  const { folder, gitDir, shadow, commit } = shadowPlace(t);
  const remote = sshRemote(t);
  const ran = join(folder, 'ran');
  for (const dir of [gitDir, shadow]) {
    writeFileSync(join(dir, 'hooks/pre-push'), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    appendFileSync(join(gitDir, 'config'), `[core]\n\tsshCommand = touch '${ran}'\n[url "x:"]\n\tinsteadOf = ssh:\n`);
  }
  await push(shadow, { url: remote.url, refs: new Map([[MAIN, commit('a')]]), token: 's3cret-token' });
  assert.ok(!existsSync(ran));
  const [call] = remote.calls();
  assert.match(call?.args ?? '', /^-oBatchMode=yes .*git@forge\.example git-receive-pack/);
  assert.ok(!/s3cret/.test(call?.args ?? ''));
  assert.doesNotMatch(call?.env ?? '', /TOKEN|PASSWORD|DEVLOOP/);
});

test('git is told a token when it asks, once, by a descriptor', async (t) => {
  const { shadow } = shadowPlace(t);
  const asked = { stdin: 'protocol=https\nhost=forge.example\n\n' };
  const told = await readGit(shadow, ['credential', 'fill'], {
    ...asked,
    config: [HELPER],
    secret: secretOf('s3cret-token'),
  });
  assert.match(told.toString(), /^username=x-access-token\npassword=s3cret-token$/m);
  await assert.rejects(readGit(shadow, ['credential', 'fill'], asked), (error) => isDevLoopError(error));
});
