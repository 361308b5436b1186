import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCliProcess, startCli } from '../support/cli-process.ts';
import { gitIn, recordedRequirement } from '../support/demo-project.ts';
import { readEvents } from '../support/event-reader.ts';
import { startServer } from '../support/running-server.ts';

describe('the two faces over a real project', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'devloop-faces-'));
  const data = join(cwd, 'data');
  const cli = (...argv: readonly string[]) => runCliProcess(argv, { cwd });
  const serve = async () => {
    const server = await startServer(data, cwd);
    return Object.assign(server, { [Symbol.asyncDispose]: async () => assert.equal(await server.stop(), 0) });
  };
  let pid: string;
  let path: string;
  before(async () => {
    const made = await cli('new', recordedRequirement('phase0'), '--json');
    assert.equal(made.status, 0, made.err);
    ({ pid, path } = made.json);
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  it('run works without a server, others reach it while it runs, and nothing of it stays', async () => {
    const run = startCli(['run', pid, '--json'], { cwd });
    await run.said('project running');
    const meanwhile = await cli('list', '--json');
    assert.equal(meanwhile.json.items[0].status, 'running', meanwhile.err);
    assert.equal((await cli('run', pid)).status, 1, 'it is running already');
    const ended = await run.ended;
    assert.equal(ended.status, 0, ended.err);
    assert.equal(ended.json.status, 'shipped');
    assert.match(ended.err, /^coder · \w+ · attempt 2 …$/m);
    assert.equal(existsSync(join(data, '.devloop', 'server.json')), false);
  });

  it('every reading command works on it', async () => {
    await using server = await serve();
    assert.ok(server.url);
    const git = gitIn(path, cwd);
    const log = await cli('log', pid, '--json');
    assert.deepEqual(
      log.json.items.map(({ sha }: { sha: string }) => sha),
      git('log', '--format=%H').split('\n'),
    );
    const [red] = (await cli('attempts', pid, '--json')).json.items;
    const name = `attempts/${red.unit}/${red.round}/${red.attempt}`;
    const diff = await cli('diff', pid, name, 'main', '--path', `units/${red.unit}/code`);
    assert.equal(
      diff.out,
      `${git('diff', '--full-index', '--no-renames', red.sha, 'main', '--', `units/${red.unit}/code`)}\n`,
    );
    assert.equal((await cli('file', pid, 'project.json')).out, readFileSync(join(path, 'project.json'), 'utf8'));
    for (const argv of [
      ['show', pid],
      ['show', pid, name],
      ['units', pid],
      ['runs', pid],
      ['timeline', pid],
      ['tags', pid],
      ['tree', pid, 'units'],
      ['status', pid],
      ['rescues', pid],
      ['recover'],
      ['verify', pid],
    ]) {
      const ran = await cli(...argv);
      assert.equal(ran.status, 0, `${argv.join(' ')}: ${ran.err}`);
      assert.notEqual(ran.out, '', argv.join(' '));
    }
  });

  it('an archive has the tracked files byte for byte, in each format', async () => {
    await using server = await serve();
    assert.ok(server.url);
    const git = gitIn(path, cwd);
    const tracked = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
    for (const [format, unpack] of [
      ['zip', ['unzip', '-q']],
      ['tar', ['tar', '-xf']],
      ['tar.gz', ['tar', '-xzf']],
    ] as const) {
      const file = join(cwd, `out.${format}`);
      assert.equal((await cli('export', pid, '--format', format, '-o', file)).status, 0);
      const folder = join(cwd, `out-${format}`);
      mkdirSync(folder);
      if (format === 'zip' && !hasUnzip()) continue;
      execFileSync(unpack[0], [unpack[1], file], { cwd: folder });
      for (const name of tracked) {
        assert.deepEqual(
          readFileSync(join(folder, name)),
          execFileSync('git', ['-C', path, 'show', `HEAD:${name}`]),
          name,
        );
      }
    }
    const bundle = join(cwd, 'all.bundle');
    assert.equal((await cli('bundle', pid, '-o', bundle)).status, 0);
    gitIn(cwd, cwd)('clone', '--quiet', bundle, 'from-bundle');
    assert.equal(gitIn(join(cwd, 'from-bundle'), cwd)('rev-parse', 'main'), git('rev-parse', 'main'));
  });

  it('git clone over HTTP gives the history of main and the tags, without attempts and rescues, and takes no push', async () => {
    await using server = await serve();
    const url = `${server.url.replace('//', `//any:${server.token}@`)}/git/default/${pid}.git`;
    const into = gitIn(cwd, cwd);
    into('clone', '--quiet', url, 'over-http');
    const [clone, git] = [gitIn(join(cwd, 'over-http'), cwd), gitIn(path, cwd)];
    assert.equal(clone('log', '--format=%H %s'), git('log', '--format=%H %s'));
    assert.equal(clone('tag', '--list'), git('tag', '--list'));
    assert.doesNotMatch(into('ls-remote', url), /refs\/devloop/);
    assert.notEqual(git('for-each-ref', 'refs/devloop/attempts'), '');
    clone('fetch', '--quiet', '--depth=1', 'origin');
    const refused = () =>
      clone('-c', 'user.name=x', '-c', 'user.email=x', 'push', '--quiet', 'origin', 'HEAD:refs/heads/x');
    assert.throws(refused, /403/);
    assert.throws(() => into('clone', '--quiet', `${server.url}/git/default/${pid}.git`, 'no-token'));
  });

  it('its events, dropped at every index and across restarts of the server, come once and in order', async () => {
    let server = await startServer(data, cwd);
    const headers = () => ({ authorization: `Bearer ${server.token}` });
    const url = () => `${server.url}/api/devloop/projects/${pid}/events`;
    const whole = await readEvents(`${url()}?after=0`, headers());
    const timeline = await server.api('GET', `/api/devloop/projects/${pid}/timeline?limit=500`);
    const last = timeline.body.items.at(-1).seq as number;
    while (Number(whole.events.at(-1)?.id) < last) await whole.until(whole.events.length + 1);
    whole.close();
    const all = whole.events.map(({ id, event, data: payload }) => `${id} ${event} ${payload}`);
    assert.ok(all.length >= timeline.body.items.length);
    for (let at = 0; at < all.length; at++) {
      if (at === Math.floor(all.length / 2)) {
        await server.stop();
        server = await startServer(data, cwd);
      }
      const after = at === 0 ? '0' : (whole.events[at - 1]?.id ?? '');
      const rest = await readEvents(url(), { ...headers(), 'last-event-id': after });
      await rest.until(all.length - at);
      rest.close();
      assert.deepEqual(
        rest.events.map(({ id, event, data: payload }) => `${id} ${event} ${payload}`),
        all.slice(at),
      );
    }
    assert.equal(await server.stop(), 0);
  });

  it('a second server on the data folder is told to try again, and names the owner', async () => {
    await using server = await serve();
    const second = await cli('serve', '--port', '0');
    assert.equal(second.status, 75);
    assert.match(second.err, new RegExp(String(server.pid)));
  });

  it('Ctrl-C pauses a run without a server, and resume ships it', async () => {
    const made = await cli('new', recordedRequirement('phase0'), '--json');
    const run = startCli(['run', made.json.pid], { cwd });
    await run.said('coder · ');
    run.child.kill('SIGINT');
    assert.equal((await run.ended).status, 130);
    assert.equal((await cli('show', made.json.pid, '--json')).json.status, 'paused');
    const { items } = (await cli('recover', made.json.pid, '--json')).json;
    if (items.length > 0) assert.equal((await cli('recover', made.json.pid, '--action', 'reset_hard')).status, 0);
    const resumed = await cli('resume', made.json.pid, '--json');
    assert.equal(resumed.status, 0, resumed.err);
    assert.equal(resumed.json.status, 'shipped');
    await using server = await serve();
    assert.ok(server.url);
    assert.equal((await cli('sign-off', made.json.pid, '--user', 'ann', '--json')).json.status, 'shipped-final');
    assert.equal((await cli('delete', made.json.pid, '--yes')).status, 0);
    assert.equal((await cli('show', made.json.pid)).status, 5);
  });
});

function hasUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
