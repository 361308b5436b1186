import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCliProcess } from '../support/cli-process.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

describe('a folder that a server and commands work on', () => {
  const home = mkdtempSync(join(tmpdir(), 'devloop-ws-e2e-'));
  const work = join(home, 'work');
  const env = { DEVLOOP_STATE_DIR: join(home, 'state'), HOME: home };
  const start = () => startServer(join(home, 'data'), home, env);
  const cli = (...argv: readonly string[]) => runCliProcess([...argv, '--json'], { cwd: work, env });
  let server: RunningServer;
  let at: string;
  const turns = async () => (await server.api('GET', `${at}/turns`)).body.items;
  before(async () => {
    mkdirSync(work);
    for (let i = 0; i < 300; i++) writeFileSync(join(work, `f${i}`), `content ${i}\n`);
    server = await start();
    const { body } = await server.api('POST', '/api/workspaces', { path: work });
    at = `/api/workspaces/${body.id}`;
  });
  after(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is one workspace for both: what one keeps the other lists and restores', async () => {
    const snap = await cli('snap', '-m', 'by command');
    const point = (await server.api('POST', `${at}/checkpoints`, { reason: 'by server' })).body;
    assert.equal(point.noop, true);
    const listed = (await cli('snaps')).json.items.map(({ id }: { id: string }) => id);
    assert.deepEqual(listed, [point.id, snap.json.id]);
    writeFileSync(join(work, 'f1'), 'edited');
    const { id, digest } = (await server.api('POST', `${at}/restores`, { checkpoint: snap.json.id })).body;
    assert.equal((await server.api('POST', `${at}/restores/${id}/apply`, { digest })).status, 200);
    assert.equal(readFileSync(join(work, 'f1'), 'utf8'), 'content 1\n');
    assert.equal((await cli('redo')).status, 0);
    assert.equal(readFileSync(join(work, 'f1'), 'utf8'), 'edited');
  });

  it('takes points by both at once: each is there, whole, and the history is sound', async () => {
    const taken = await Promise.all([
      cli('snap', '-m', 'a'),
      ...['b', 'c', 'd'].map((reason) => server.api('POST', `${at}/checkpoints`, { reason })),
      cli('snap', '-m', 'e'),
    ]);
    for (const one of taken) assert.ok(one.status === 0 || one.status === 201, JSON.stringify(one));
    const { items } = (await server.api('GET', `${at}/checkpoints`)).body;
    const reasons = items.slice(0, 5).map(({ reason }: { reason: string }) => reason);
    assert.deepEqual(reasons.toSorted(), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual((await server.api('POST', `${at}/verify`)).body.problems, []);
  });

  it('a server that is told to stop makes the points that it accepted first', async () => {
    const { turn } = (await server.api('POST', `${at}/turns`, { actor: 'x' })).body;
    writeFileSync(join(work, 'f2'), 'by the agent');
    assert.equal((await server.api('POST', `${at}/turns/${turn}/end`)).status, 202);
    assert.equal(await server.stop(), 0);
    const [listed] = (await cli('turns')).json.items;
    assert.deepEqual([listed.turn, listed.state], [turn, 'ended']);
    server = await start();
  });

  it('kill -9 right after an end was accepted loses nothing: the next server makes its point', async () => {
    const { turn } = (await server.api('POST', `${at}/turns`, { actor: 'x' })).body;
    writeFileSync(join(work, 'f3'), 'by the agent');
    assert.equal((await server.api('POST', `${at}/turns/${turn}/end`)).status, 202);
    await server.kill();
    server = await start();
    let [listed] = await turns();
    // The start does not wait for the point, and nothing else tells that it is there.
    while (listed.state !== 'ended') [listed] = await turns();
    assert.equal(listed.turn, turn);
    const from = `${at}/checkpoints/${listed.pre.id}/changes?against=${listed.post.id}`;
    assert.deepEqual((await server.api('GET', from)).body.items, [{ path: 'f3', change: 'modified' }]);
  });

  it('a turn that is open while the server is killed can still be ended, and gone back before', async () => {
    writeFileSync(join(work, 'f4'), 'mine');
    const { turn } = (await server.api('POST', `${at}/turns`, { actor: 'x' })).body;
    await server.kill();
    server = await start();
    writeFileSync(join(work, 'f4'), 'by the agent');
    assert.equal((await server.api('POST', `${at}/turns/${turn}/end`)).status, 202);
    const { id, digest } = (await server.api('POST', `${at}/restores`, { turn_offset: 0 })).body;
    assert.equal((await server.api('POST', `${at}/restores/${id}/apply`, { digest })).status, 200);
    assert.equal(readFileSync(join(work, 'f4'), 'utf8'), 'mine');
  });
});
