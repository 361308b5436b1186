import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ProjectId } from '../../server/domain/ids.ts';
import type { ProjectStatus } from '../../server/domain/project.ts';
import { announce, type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';
import { httpUnderTest } from '../support/http-under-test.ts';

describe('following the loop', () => {
  let cli: CliUnderTest;
  let pid: ProjectId;
  before(async () => {
    cli = await cliUnderTest();
  });
  after(() => cli[Symbol.asyncDispose]());
  beforeEach(async () => {
    pid = (await cli.json('new', 'A to-do list')).json.pid;
  });

  /** Lets the next run come to rest like this, with events on the way. */
  function willEnd(status: ProjectStatus, more: { readonly reason?: string; readonly detail?: string } = {}): void {
    const { loop, feed } = cli.http;
    const run = loop.run.bind(loop);
    loop.run = async (of) => {
      loop.run = run;
      await run(of);
      setImmediate(async () => {
        feed.publish(pid, 'agent.started', { role: 'coder', unit: 'store', attempt: 1, pid });
        const first_failure = { id: 'keeps order', message: 'expected 2\nreceived \u001b[31m1' };
        feed.publish(pid, 'test.result', { unit: 'store', outcome: 'red', failed: 1, total: 3, first_failure });
        feed.publish(pid, 'triage.done', { category: 'code', blamed_units: ['store'], reason: 'off by one' });
        loop.projects.set(pid, { ...(await loop.project(pid)), status, ...more });
        feed.publish(pid, 'project.status', { status, ...more });
      });
    };
  }

  it('run prints a line a step: role, unit, attempt, the red assertion in its own words, the blamed unit', async () => {
    willEnd('shipped');
    const { status, out, err } = await cli.run(['run', pid]);
    assert.equal(status, 0, err);
    assert.match(err, /^coder · store · attempt 1 …$/m);
    assert.match(err, /^tests of store red: 1 of 3 failed\n {4}keeps order\n {4}expected 2\n {4}received .\[31m1$/m);
    assert.match(err, /^triage: code, blames store: off by one$/m);
    assert.ok(!err.includes('\u001b'), 'nothing that a terminal obeys');
    assert.match(out, new RegExp(`^${pid} shipped\n`));
  });

  for (const [status, reason, exit] of [
    ['waiting_approval', undefined, 4],
    ['paused', undefined, 4],
    ['blocked', 'unit_failed', 6],
    ['blocked', 'budget', 6],
    ['blocked', 'integration_failed', 6],
    ['blocked', 'replay_diverged', 3],
    ['blocked', 'git_failed', 1],
    ['cancelled', undefined, 1],
  ] as const) {
    it(`run ends with ${exit} where the project is ${status}${reason === undefined ? '' : ` by ${reason}`}`, async () => {
      willEnd(status, reason === undefined ? {} : { reason, detail: 'as it is' });
      const ran = await cli.json('run', pid);
      assert.equal(ran.status, exit, ran.err);
      assert.equal(ran.json.status, status);
    });
  }

  it('run --detach comes back at once', async () => {
    const { status, json } = await cli.json('run', pid, '--detach', '--unit', 'store');
    assert.equal(status, 0);
    assert.equal(json.status, 'running');
    assert.equal(cli.http.loop.asked.at(-1), 'run store');
    assert.equal((await cli.run(['run', pid])).status, 1, 'already running');
  });

  it('approve answers the gate that the project waits at', async () => {
    cli.http.loop.projects.set(pid, { ...(await cli.http.loop.project(pid)), status: 'waiting_approval', gate: 'sdd' });
    assert.equal((await cli.run(['approve', pid, '--note', 'good', '--detach'])).status, 0);
    assert.equal(cli.http.loop.asked.at(-1), 'approve sdd good');
    await cli.run(['reject', pid, '--gate', 'prd', '--detach']);
    assert.equal(cli.http.loop.asked.at(-1), 'reject prd undefined');
    await cli.run(['feedback', pid, 'more', '--detach']);
    assert.equal(cli.http.loop.asked.at(-1), 'feedback more');
  });

  it('Ctrl-C leaves a run to its server and says so', async () => {
    const stop = new AbortController();
    const { loop } = cli.http;
    const run = loop.run.bind(loop);
    loop.run = async (of) => {
      loop.run = run;
      await run(of);
      setImmediate(() => stop.abort('SIGINT'));
    };
    const { status, err } = await cli.run(['run', pid], { signal: stop.signal });
    assert.equal(status, 130);
    assert.match(err, /goes on in the server/);
  });

  it('watch gives an object a line with --json, from the id that was asked for', async () => {
    for (let i = 0; i < 3; i++) cli.http.feed.publish(pid, 'unit.status', { i });
    const stop = new AbortController();
    const onOut = (out: string) => {
      if (out.split('\n').length === 3) stop.abort('SIGINT');
    };
    const { status, out } = await cli.run(['watch', pid, '--after', '1', '--json'], { signal: stop.signal, onOut });
    assert.equal(status, 130);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ id, data }) => [id, data.i]),
      [
        ['2', 1],
        ['3', 2],
      ],
    );
  });

  it('watch goes on where it was when the server comes back elsewhere', async () => {
    const own = await cliUnderTest();
    const { feed } = own.http;
    const first = (await own.json('new', 'x')).json.pid;
    feed.publish(first, 'unit.status', { i: 1 });
    const stop = new AbortController();
    let back: Awaited<ReturnType<typeof httpUnderTest>> | undefined;
    let moved = false;
    const onOut = (out: string) => {
      const seen = out.split('\n').length - 1;
      if (seen === 1 && !moved) {
        moved = true;
        void (async () => {
          await own.http[Symbol.asyncDispose]();
          back = await httpUnderTest({ limits: { batch_ms: 1 } });
          await back.loop.create({ requirement: 'x' });
          back.feed.publish(first, 'unit.status', { i: 1 });
          back.feed.publish(first, 'unit.status', { i: 2 });
          announce(own.cwd, back);
        })();
      }
      if (seen === 2) stop.abort('SIGINT');
    };
    const { out, err } = await own.run(['watch', first, '--after', '0', '--json'], { signal: stop.signal, onOut });
    assert.deepEqual(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).data.i),
      [1, 2],
    );
    assert.match(err, /trying again/);
    await back?.[Symbol.asyncDispose]();
    await own[Symbol.asyncDispose]();
  });

  it('watch of all projects names the project of each event', async () => {
    const stop = new AbortController();
    const onOut = () => stop.abort('SIGINT');
    cli.http.feed.publish(pid, 'git.tagged', { tag: 'prd-rev-1', pid });
    const all = cli.http.feed.logs.get('*')?.length ?? 0;
    const { out } = await cli.run(['watch', '--after', String(all - 1)], { signal: stop.signal, onOut });
    assert.equal(out, `${pid}  tag prd-rev-1\n`);
  });

  it('watch of an unknown project ends', async () => {
    assert.equal((await cli.run(['watch', 'p-none'])).status, 5);
  });
});
