import assert from 'node:assert/strict';
import fs, { constants, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { inWorkspace } from '../support/workspace-place.ts';

/** Makes every new file fail whose path holds a text, as on a disk that is full, while work is done. */
async function withoutRoomFor(text: string, work: () => Promise<void>): Promise<void> {
  const real = fs.openSync;
  fs.openSync = (path, flags, mode) => {
    if (String(path).includes(text) && Number(flags) & constants.O_CREAT) {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'open' });
    }
    return real(path, flags, mode);
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.openSync = real;
    syncBuiltinESMExports();
  }
}

test('a restore for whose notes and record the disk has no room is told as such, changes nothing and can be applied later', () =>
  inWorkspace(async ({ put, root, workspace, workspaces }) => {
    put('f', 'old');
    const point = await workspace.takePoint({ reason: 'x' });
    put('f', 'new');
    const { id, digest } = await workspace.planRestore({ point: point.id });
    const store = workspaces.list()[0]?.store ?? '';
    const record = (): string => readFileSync(join(store, 'restores', `${id}.json`), 'utf8');
    const content = (): string => readFileSync(join(root, 'f'), 'utf8');
    const planned = record();
    for (const text of [`restores/${id}`, `${id}.staging.json`, `${id}.restore.json`]) {
      await withoutRoomFor(text, () => assert.rejects(workspace.applyRestore(id, digest), { code: 'disk_full' }, text));
      assert.equal(content(), 'new');
      assert.deepEqual(readdirSync(join(store, 'journal')), []);
      assert.equal(record(), planned);
    }
    await workspace.applyRestore(id, digest);
    assert.equal(content(), 'old');
  }));

test('where the disk has no room for the lock of a workspace that is told as such, whatever was to be done, and it works on later', () =>
  inWorkspace(async ({ put, workspace, workspaces }) => {
    put('f', 'x');
    const { id } = await workspace.takePoint({ reason: 'x' });
    const store = workspaces.list()[0]?.store ?? '';
    for (const work of [
      () => workspace.takePoint({ reason: 'y' }),
      () => workspace.planRestore({ point: id }),
      () => workspace.beginTurn({}),
      () => workspace.prune(),
    ])
      await withoutRoomFor(join(store, 'lock'), () => assert.rejects(work, { code: 'disk_full' }));
    await workspace.takePoint({ reason: 'y' });
  }));
