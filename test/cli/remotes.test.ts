import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';

describe('remotes and push', () => {
  let cli: CliUnderTest;
  let pid: string;
  before(async () => {
    cli = await cliUnderTest();
    pid = (await cli.json('new', 'A to-do list')).json.pid;
  });
  after(() => cli[Symbol.asyncDispose]());

  it('remotes lists and adds', async () => {
    assert.match((await cli.run(['remotes', pid])).out, /^forge {2}ssh:\/\/git@forge\.example\/todo\.git$/m);
    assert.equal((await cli.run(['remotes', pid, 'mine', 'git@forge.example:mine.git'])).status, 0);
    assert.equal((await cli.run(['remotes', pid, 'mine'])).status, 2);
    assert.equal((await cli.run(['remotes', pid, 'mine', '/srv/x'])).status, 2);
  });

  it('push names what it made, and takes a token from a file only', async () => {
    writeFileSync(join(cli.cwd, 'token'), 's3cret\n');
    const pushed = await cli.run(['push', pid, 'forge', '--branch', 'b', '--tags', '--token-file', 'token']);
    assert.equal(pushed.out, 'made  refs/heads/b\n');
    assert.deepEqual(cli.http.vault.asked.at(-1), [
      'push',
      { remote: 'forge', branch: 'b', tags: true, token: 's3cret' },
    ]);
    assert.equal((await cli.run(['push', pid, 'forge', '--token-file', 'none'])).status, 5);
  });
});
