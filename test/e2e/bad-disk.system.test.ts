import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { atRest, gitIn, type ProjectAnswer, startDemoProject } from '../support/demo-project.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

/** Needs the right to mount. */
describe('a disk that fails', () => {
  let folder: string;
  let data: string;
  let server: RunningServer | undefined;
  const mounted: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'devloop-disk-'));
    data = join(folder, 'data');
    mkdirSync(data);
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    for (const path of mounted.splice(0).reverse()) execFileSync('umount', ['-l', path]);
    rmSync(folder, { recursive: true, force: true });
  });
  const mount = (...argv: readonly string[]) => {
    execFileSync('mount', argv);
    mounted.push(argv.at(-1) ?? '');
  };
  /** In one step: a mount that somebody is writing through cannot be made read-only, and the server may be at the end of a write. */
  const mountReadOnly = (path: string) => {
    const aside = join(folder, 'aside');
    mkdirSync(aside);
    mount('--bind', path, aside);
    execFileSync('mount', ['-o', 'remount,bind,ro', aside]);
    mount('--bind', aside, path);
  };

  it('full while committing: nothing acknowledged is lost, and the project ships once there is room', async () => {
    mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', data);
    server = await startServer(data, folder);
    const pid = await startDemoProject(server);
    const filler = join(data, 'filler');
    fillDisk(filler);
    const stuck = await atRest(server, pid);
    const { path } = (await server.api('GET', `/api/devloop/projects/${pid}`)).body as ProjectAnswer;
    assert.notEqual(stuck.status, 'shipped');
    assert.equal(gitIn(path, folder)('fsck', '--strict', '--no-dangling'), '');
    rmSync(filler);
    await server.stop();
    server = await startServer(data, folder);
    await settleAndRun(server, pid);
    assert.equal((await atRest(server, pid)).status, 'shipped');
    assert.equal(gitIn(path, folder)('fsck', '--strict', '--no-dangling'), '');
  });

  it('read-only: a write is refused with a code, reading goes on, and nothing is changed', async () => {
    server = await startServer(data, folder);
    const pid = await startDemoProject(server, 'phase0');
    const { path } = await atRest(server, pid);
    const head = gitIn(path, folder)('rev-parse', 'HEAD');
    mountReadOnly(data);
    const refused = await server.api('POST', `/api/devloop/projects/${pid}/sign-off`, { user_id: 'ann' });
    assert.ok(refused.status >= 500 || refused.status === 409, `${refused.status}`);
    assert.equal(refused.body.code, 'read_only');
    const created = await server.api('POST', '/api/devloop/projects', { requirement: 'x' });
    assert.equal(created.body.code, 'read_only');
    assert.equal((await server.api('GET', `/api/devloop/projects/${pid}/commits`)).status, 200);
    assert.equal(gitIn(path, folder)('rev-parse', 'HEAD'), head);
  });
});

function fillDisk(path: string): void {
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}

async function settleAndRun(server: RunningServer, pid: string): Promise<void> {
  await atRest(server, pid);
  const { body } = await server.api('GET', '/api/devloop/recovery');
  for (const { snapshot } of (body as { items: readonly { snapshot: string }[] }).items) {
    const answer = await server.api('POST', `/api/devloop/projects/${pid}/recovery`, {
      action: 'reset_hard',
      snapshot,
    });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  }
  const run = await server.api('POST', `/api/devloop/projects/${pid}/run`);
  assert.equal(run.status, 202, JSON.stringify(run.body));
}
