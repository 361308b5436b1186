import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inWorkspace } from '../support/workspace-place.ts';

test('a turn has a point before and one after it, also where its task throws', async () => {
  await inWorkspace(async ({ workspace, put }) => {
    put('a', '1');
    const result = await workspace.runTurn({ task_id: 't1', actor: 'agent' }, async () => {
      put('a', '2');
      return 'done';
    });
    assert.equal(result, 'done');
    await assert.rejects(
      workspace.runTurn({}, async () => {
        put('a', '3');
        throw new Error('agent died');
      }),
      /agent died/,
    );
    const [second, first] = await workspace.turns();
    assert.deepEqual(
      [first?.state, first?.pre.task_id, first?.post?.actor, second?.state],
      ['ended', 't1', 'agent', 'ended'],
    );
    assert.deepEqual(
      (await workspace.points()).map(({ phase }) => phase),
      ['POST_TURN', 'PRE_TURN', 'POST_TURN', 'PRE_TURN'],
    );
  });
});

test('going back to before a turn takes its offset, and points after turns are refused in place', async () => {
  await inWorkspace(async ({ workspace, put, root }) => {
    for (const text of ['1', '2', '3']) await workspace.runTurn({}, async () => put('a', text));
    const back = await workspace.planPreTurn(1);
    await workspace.applyRestore(back.id, back.digest);
    assert.equal(readFileSync(join(root, 'a'), 'utf8'), '1');
    await assert.rejects(workspace.planPreTurn(3), { code: 'nothing_to_restore' });
    const post = (await workspace.turns())[0]?.post;
    await assert.rejects(workspace.planRestore({ point: post?.id ?? '' }), { code: 'post_turn_in_place' });
  });
});

test('with scope agent, what was changed after the turn or not by it stays; with scope all it is flagged', async () => {
  await inWorkspace(async ({ workspace, put, files }) => {
    for (const name of ['agent', 'both', 'mine']) put(name, '0');
    await workspace.runTurn({}, async () => {
      for (const name of ['agent', 'both', 'new']) put(name, 'agent');
    });
    put('both', 'me');
    put('mine', 'me');
    const all = await workspace.planPreTurn(0);
    assert.deepEqual(
      all.rows.map(({ path, kind, changed_after }) => [path, kind, changed_after ?? false]),
      [
        ['agent', 'overwrite', false],
        ['both', 'overwrite', true],
        ['mine', 'overwrite', true],
        ['new', 'delete', false],
      ],
    );
    const scoped = await workspace.planPreTurn(0, { scope: 'agent' });
    assert.deepEqual(scoped.kept, [
      { path: 'both', reason: 'changed_after' },
      { path: 'mine', reason: 'not_by_turn' },
    ]);
    await workspace.applyRestore(scoped.id, scoped.digest);
    assert.deepEqual(files(), { agent: 'file 644 0', both: 'file 644 me', mine: 'file 644 me' });
  });
});

test('a turn whose process died is ended at the next turn', async () => {
  await inWorkspace(async ({ workspace, workspaces, put }) => {
    put('a', '1');
    const { turn } = await workspace.beginTurn({ task_id: 'lost' });
    const store = workspaces.list()[0]?.store ?? '';
    const file = join(store, 'turns.json');
    const { open } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ schema: 1, open: [{ ...open[0], pid: 1, start_time: 'long ago' }] }));
    put('a', '2');
    await workspace.runTurn({}, async () => {});
    const [, lost] = await workspace.turns();
    assert.deepEqual([lost?.turn, lost?.state, lost?.post?.reason], [turn, 'ended', 'after a turn whose process died']);
  });
});

test('the newest turns are kept, with pinned and named points, and the disk is freed', async () => {
  await inWorkspace(
    async ({ workspace, put, root }) => {
      const named = await workspace.takePoint({ reason: 'x', name: 'keep' });
      for (let i = 0; i < 5; i++) {
        await workspace.runTurn({}, async () => put('big', `${i}`.repeat(500_000)));
      }
      assert.equal((await workspace.turns()).length, 2);
      assert.ok((await workspace.points()).some(({ id }) => id === named.id));
      rmSync(join(root, 'big'));
      const { bytes_before, bytes_after } = await workspace.prune();
      assert.ok(bytes_before - bytes_after > 900_000, `${bytes_before} ${bytes_after}`);
      assert.deepEqual((await workspace.verify()).problems, []);
    },
    { maxTurns: 2 },
  );
});
