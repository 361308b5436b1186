import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parsePointId } from '../../server/domain/point.ts';
import type { Workspace } from '../../server/workspace/index.ts';
import { inWorkspace } from '../support/workspace-place.ts';

test('who closes a workspace, or works on it next, waits until the disk has what was restored', () =>
  inWorkspace(async ({ put, restore, files, workspace, workspaces }) => {
    const journal = join(workspaces.list()[0]?.store ?? '', 'journal');
    put('d/f', 'old');
    const { id } = await workspace.takePoint({ reason: 'x' });
    put('d/f', 'new');
    const { pre } = await restore({ point: id });
    assert.equal(files()['d/f'], 'file 644 old');
    assert.deepEqual(Object.keys(files()), ['d', 'd/f'], 'no stage is there');
    const next = await workspace.takePoint({ reason: 'y' });
    assert.deepEqual(readdirSync(journal), []);
    assert.deepEqual(await workspace.changes(parsePointId(id), parsePointId(next.id)), []);
    await restore({ point: pre ?? '' });
    await workspace.close();
    assert.deepEqual(readdirSync(journal), []);
  }));

test('a history can be deleted right after a restore', () =>
  inWorkspace(async ({ put, restore, files, workspace, workspaces }) => {
    put('f', 'old');
    const { id } = await workspace.takePoint({ reason: 'x' });
    put('f', 'new');
    await restore({ point: id });
    await workspaces.remove(workspace.id);
    assert.deepEqual(workspaces.list(), []);
    assert.equal(files().f, 'file 644 old');
  }));

test('what a restore wrote is made whole from the store at the next start, and can be taken back', () =>
  inWorkspace(async ({ put, root, files, workspace, workspaces }) => {
    const store = workspaces.list()[0]?.store ?? '';
    put('f', 'old');
    put('big', 'old');
    const { id } = await workspace.takePoint({ reason: 'x' });
    put('f', 'new');
    const plan = await workspace.planRestore({ point: id });
    const read = (name: string): Buffer => readFileSync(join(store, name));
    await workspace.applyRestore(plan.id, plan.digest);
    const [name = ''] = readdirSync(join(store, 'journal')).filter((one) => one.endsWith('.placed.json'));
    const note = read(`journal/${name}`);
    const planned = JSON.stringify({ ...JSON.parse(String(read(`restores/${plan.id}.json`))), state: 'planned' });
    await workspace.close();
    // As a power cut has it: the note and no more than a part of the rest.
    truncateSync(join(root, 'f'), 1);
    writeFileSync(
      join(store, `journal/${name}`),
      note.toString().replace(/"mtime":[0-9.]+,"ctime"/, '"mtime":9e15,"ctime"'),
    );
    writeFileSync(join(store, `restores/${plan.id}.json`), `${planned}\n`);
    const again = workspaces.open(root);
    await again.takePoint({ reason: 'next' });
    assert.equal(files().f, 'file 644 old');
    await again.undoRestore();
    assert.equal(files().f, 'file 644 new');
    await again.close();
  }));

for (const [what, look] of [
  ['changes', (workspace: Workspace, id: string) => workspace.changes(parsePointId(id), 'now')],
  ['status', (workspace: Workspace) => workspace.status()],
] as const) {
  test(`${what} finds a restore at its end, though a kill or a power cut left a part of it`, () =>
    inWorkspace(async ({ put, root, files, workspace, workspaces }) => {
      const store = workspaces.list()[0]?.store ?? '';
      put('f', 'old');
      const { id } = await workspace.takePoint({ reason: 'x' });
      put('f', 'new');
      const plan = await workspace.planRestore({ point: id });
      await workspace.applyRestore(plan.id, plan.digest);
      const [name = ''] = readdirSync(join(store, 'journal')).filter((one) => one.endsWith('.placed.json'));
      const note = readFileSync(join(store, 'journal', name));
      await workspace.close();
      rmSync(join(root, 'f'));
      writeFileSync(join(store, 'journal', name.replace('.placed.json', '.restore.json')), note);
      const again = workspaces.open(root);
      await look(again, id);
      assert.equal(files().f, 'file 644 old');
      assert.deepEqual(readdirSync(join(store, 'journal')), []);
      await again.close();
    }));
}
