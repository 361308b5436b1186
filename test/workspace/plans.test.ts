import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parsePointId } from '../../server/domain/point.ts';
import { findStores } from '../../server/workspace/find-stores.ts';
import { inWorkspace } from '../support/workspace-place.ts';

test('a plan that a power cut has cut short is as if it had not been made', () =>
  inWorkspace(async ({ workspace, options, put, files }) => {
    put('a', '1');
    const point = await workspace.takePoint({ reason: 'x' });
    put('a', '2');
    const [first, second] = [
      await workspace.planRestore({ point: point.id }),
      await workspace.planRestore({ point: point.id }),
    ];
    const folder = join(findStores(options.stateDir)[0]?.store ?? '', 'restores');
    assert.deepEqual(readdirSync(folder).sort(), [`${first.id}.json`, `${second.id}.json`].sort());
    for (const size of [readFileSync(join(folder, `${first.id}.json`)).length - 1, 0]) {
      truncateSync(join(folder, `${first.id}.json`), size);
      await assert.rejects(workspace.applyRestore(first.id, first.digest), { code: 'not_found' });
    }
    await workspace.applyRestore(second.id, second.digest);
    assert.equal(files().a, 'file 644 1');
    assert.deepEqual(
      workspace.restores().map(({ id }) => id),
      [second.id],
    );
  }));

test('a look by what was watched is the ground of points, plans and restores all the same', () =>
  inWorkspace(
    async ({ workspace, put, files, restore }) => {
      for (const name of ['a/1', 'a/2', 'b/1', 'c']) put(name, 'old');
      const point = await workspace.takePoint({ reason: 'x' });
      assert.equal((await workspace.takePoint({ reason: 'same' })).noop, true);
      put('a/1', 'new');
      put('b/d/e', 'new');
      const before = files();
      const changes = await workspace.changes(parsePointId(point.id), 'now');
      assert.deepEqual(
        changes.map(({ path, change }) => [path, change]),
        [
          ['a/1', 'modified'],
          ['b/d/e', 'added'],
        ],
      );
      await restore({ point: point.id });
      assert.deepEqual([files()['a/1'], files()['b/d/e']], ['file 644 old', undefined]);
      assert.deepEqual(await workspace.changes(parsePointId(point.id), 'now'), []);
      await workspace.undoRestore();
      assert.deepEqual(files(), before);
    },
    { watch: true },
  ));

test('what a killed process left of its watching goes when the store is pruned, and who watches goes on', () =>
  inWorkspace(
    async ({ workspace, options, put }) => {
      const store = findStores(options.stateDir)[0]?.store ?? '';
      const folders = (): readonly string[] => readdirSync(store).filter((name) => name.startsWith('watch-'));
      put('a', '1');
      for (const reason of ['first', 'second']) await workspace.takePoint({ reason });
      mkdirSync(join(store, 'watch-1234567-0'));
      assert.equal(folders().length, 2);
      await workspace.prune();
      assert.deepEqual(folders(), []);
      put('a', '2');
      assert.equal((await workspace.takePoint({ reason: 'third' })).noop, false);
      await workspace.close();
      assert.deepEqual(folders(), []);
    },
    { watch: true },
  ));
