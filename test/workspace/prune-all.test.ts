import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWorkspaces, type WorkspaceOptions } from '../../server/workspace/index.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

/** Two folders whose points are made in turn, a minute after each other, each with 60,000 bytes that no other has. */
async function inTwoFolders(
  use: (lab: {
    readonly folders: readonly string[];
    readonly point: (folder: number, name?: string) => Promise<void>;
    /** The letters of the points that are left, of each folder. */
    readonly left: () => Promise<readonly string[]>;
    readonly pruneAll: (changed: Partial<WorkspaceOptions>) => ReturnType<WorkspaceLab['workspaces']['pruneAll']>;
  }) => Promise<void>,
): Promise<void> {
  let minute = 0;
  const now = () => new Date(Date.UTC(2026, 10, 30, 12, minute));
  await inWorkspace(
    async ({ folder, options, workspaces }) => {
      const folders = ['one', 'two'].map((name) => join(folder, 'user', name));
      for (const path of folders) mkdirSync(path);
      const all = folders.map((path) => workspaces.open(path));
      await use({
        folders,
        point: async (i, name) => {
          const letter = String.fromCharCode(97 + minute);
          minute++;
          writeFileSync(join(folders[i] ?? '', 'file'), letter.repeat(60_000));
          await all[i]?.takePoint({ reason: letter, ...(name !== undefined && { name }) });
        },
        left: () =>
          Promise.all(
            all.map(async (one) =>
              (await one.points())
                .map(({ reason }) => reason)
                .toReversed()
                .join(''),
            ),
          ),
        pruneAll: (changed) => openWorkspaces({ ...options, ...changed }).pruneAll(),
      });
      for (const one of all) await one.close();
    },
    { now, largeFileBytes: 1000 },
  );
}

test('where all histories together are too large, the oldest points go, of whichever folder', async () => {
  await inTwoFolders(async ({ point, left, pruneAll }) => {
    for (const i of [0, 0, 1, 0, 1, 1]) await point(i);
    assert.deepEqual(await left(), ['abd', 'cef']);
    const { items, bytes_before, bytes_after } = await pruneAll({ maxTotalBytes: 5 * 60_000 });
    assert.deepEqual(await left(), ['d', 'cef'], 'a quarter of what may go at a time');
    assert.deepEqual(
      items.map(({ points }) => points.length),
      [2],
    );
    assert.ok(bytes_before > 360_000 && bytes_after < 300_000, `${bytes_before} to ${bytes_after}`);
  });
});

test('the newest of each folder, and those with a name, stay whatever the size', async () => {
  await inTwoFolders(async ({ point, left, pruneAll }) => {
    await point(0, 'a name');
    for (const i of [0, 0, 1, 1]) await point(i);
    const { bytes_after } = await pruneAll({ maxTotalBytes: 1 });
    assert.deepEqual(await left(), ['ac', 'e']);
    assert.ok(bytes_after > 1);
  });
});

test('without a size for all, each history is held to its own settings and to the age for all', async () => {
  await inTwoFolders(async ({ point, left, pruneAll }) => {
    for (const i of [0, 1, 0, 1, 0]) await point(i);
    assert.deepEqual((await pruneAll({})).items, []);
    assert.deepEqual(await left(), ['ace', 'bd']);
    await pruneAll({ maxAgeDays: 2.5 / 24 / 60 });
    assert.deepEqual(await left(), ['ce', 'd']);
  });
});
