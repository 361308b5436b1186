import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openWorkspaces } from '../../server/workspace/index.ts';
import { workspaceService } from '../../server/workspace-service.ts';
import { assertProblem } from '../support/http-under-test.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { type WorkspacesUnderTest, workspacesUnderTest } from '../support/workspaces-under-test.ts';

describe('turns over HTTP', () => {
  let lab: WorkspacesUnderTest;
  beforeEach(async () => {
    lab = await workspacesUnderTest();
    lab.put('a.txt', '0');
  });
  afterEach(() => lab[Symbol.asyncDispose]());
  const turn = async (text: string, about: object = {}) => {
    const { turn: id, pre } = (await lab.at(201, 'POST /turns', about)).body;
    writeFileSync(join(lab.root, 'a.txt'), text);
    const ended = await lab.at(202, `POST /turns/${id}/end`);
    return { id, pre, ended: ended.body };
  };

  it('a turn has its first point when it is answered, and its last one without anybody waiting', async () => {
    const { id, pre, ended } = await turn('1', { task_id: 'T-1', actor: 'claude', run_id: 'r' });
    assert.deepEqual([pre.phase, pre.task_id, pre.actor, pre.run_id, pre.turn], ['PRE_TURN', 'T-1', 'claude', 'r', id]);
    assert.deepEqual(ended, { turn: id, state: 'ending' });
    await lab.service.close();
    const [listed] = (await lab.at(200, 'GET /turns')).body.items;
    assert.deepEqual([listed.offset, listed.turn, listed.state, listed.post.phase], [0, id, 'ended', 'POST_TURN']);
    const again = await lab.at(202, `POST /turns/${id}/end`);
    assert.deepEqual(again.body, { turn: id, state: 'ended' });
    assert.deepEqual(lab.logged, []);
  });

  it('a restore before a turn takes its offset, and the state after a turn is not restored in place', async () => {
    for (const text of ['1', '2', '3']) await turn(text);
    const { id, digest } = (await lab.at(201, 'POST /restores', { turn_offset: 1 })).body;
    await lab.at(200, `POST /restores/${id}/apply`, { digest });
    assert.equal(readFileSync(join(lab.root, 'a.txt'), 'utf8'), '1');
    const all = (await lab.at(200, 'GET /turns')).body.items;
    assert.deepEqual(
      all.map((one: { offset: number }) => one.offset),
      [0, 1, 2],
    );
    const page = (await lab.at(200, 'GET /turns?limit=2')).body;
    assert.deepEqual((await lab.at(200, `GET /turns?cursor=${page.next}`)).body.items, [all[2]]);
    const checkpoint = all[0].post.id;
    const refused = await lab.http.api('POST', `/workspaces/${lab.ws}/restores`, { checkpoint });
    assertProblem(refused, 409, 'post_turn_in_place');
    const path = join(lab.folder, 'after-turn');
    await lab.at(201, 'POST /restores', { checkpoint, target: 'new', path });
  });

  it('with scope agent what was changed after the turn stays, and without it is flagged', async () => {
    lab.put('b.txt', '0');
    const { turn: id } = (await lab.at(201, 'POST /turns', {})).body;
    for (const name of ['a.txt', 'b.txt']) lab.put(name, 'agent');
    await lab.at(202, `POST /turns/${id}/end`);
    await lab.service.close();
    lab.put('b.txt', 'me');
    const all = (await lab.at(201, 'POST /restores', { turn_offset: 0 })).body;
    assert.deepEqual(all.overwrites, [{ path: 'a.txt' }, { path: 'b.txt', changed_after: true }]);
    const own = (await lab.at(201, 'POST /restores', { turn_offset: 0, scope: 'agent' })).body;
    assert.deepEqual([own.overwrites, own.kept], [[{ path: 'a.txt' }], [{ path: 'b.txt', reason: 'changed_after' }]]);
  });

  it('ends that are asked for twice, together and in the midst of other points give one point each', async () => {
    const begun = await Promise.all(['x', 'y'].map((actor) => lab.at(201, 'POST /turns', { actor })));
    const ids = begun.map(({ body }) => body.turn);
    await Promise.all([
      ...[...ids, ...ids].map((id) => lab.at(202, `POST /turns/${id}/end`)),
      lab.at(201, 'POST /checkpoints', { reason: 'meanwhile' }),
    ]);
    await lab.service.close();
    const phases = (await lab.at(200, 'GET /checkpoints')).body.items.map((one: { phase: string }) => one.phase);
    assert.deepEqual(phases.sort(), ['MANUAL', 'POST_TURN', 'POST_TURN', 'PRE_TURN', 'PRE_TURN']);
  });

  it('an end that was accepted before a kill is made at the next start', async () => {
    const { turn: id } = (await lab.at(201, 'POST /turns', {})).body;
    lab.put('a.txt', 'by the agent');
    // What a killed server leaves: the note, and no point.
    await lab.workspace.askTurnEnd(id);
    const next = workspaceService({
      workspaces: openWorkspaces(lab.options),
      turns: true,
      comparer: plainComparer(lab.folder),
      log: { error: assert.fail },
    });
    next.boot();
    await next.close();
    const [listed] = (await lab.at(200, 'GET /turns')).body.items;
    assert.equal(listed.state, 'ended');
    assert.equal(
      (await lab.http.send('GET', `/api/workspaces/${lab.ws}/checkpoints/${listed.post.id}/file?path=a.txt`)).text,
      'by the agent',
    );
    next.boot();
    await next.close();
    assert.equal((await lab.at(200, 'GET /checkpoints')).body.items.length, 2);
  });

  it('where the protection of turns is switched off, none begins', async () => {
    await using off = await workspacesUnderTest({ turns: false });
    assertProblem(await off.http.api('POST', `/workspaces/${off.ws}/turns`, {}), 409, 'bad_state');
    await off.at(201, 'POST /checkpoints', { reason: 'by hand' });
  });
});
