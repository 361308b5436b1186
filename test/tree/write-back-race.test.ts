import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { finishWriteBacks } from '../../server/tree/index.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { TreePlace } from '../support/tree-place.ts';

/** Puts a link to a folder outside in place of a folder, and the folder back, as fast as it can. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { workerData: [folder, outside] } = require('node:worker_threads');
for (;;) {
  try {
    renameSync(folder, folder + '.away');
    symlinkSync(outside, folder);
    unlinkSync(folder);
    renameSync(folder + '.away', folder);
  } catch {}
}`;

/** Milliseconds. */
const RACE_MS = Number(process.env.RACE_MS ?? 1500);

test('nothing is written or deleted outside while a folder and a link take turns', async (t) => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const [inner, outside] = [join(place.root, 'd'), join(folder, 'outside')];
    for (const path of [inner, outside]) mkdirSync(path);
    for (let i = 0; i < 5; i++) {
      writeFileSync(join(outside, `old${i}`), 'mine');
      writeFileSync(join(inner, `old${i}`), 'old');
    }
    const first = await place.keep();
    for (let i = 0; i < 5; i++) writeFileSync(join(inner, `new${i}`), 'new');
    const second = await place.keep();
    const swapper = new Worker(SWAPPER, { eval: true, workerData: [inner, outside] });
    const ends = { done: 0, refused: 0 };
    try {
      for (const end = performance.now() + RACE_MS; performance.now() < end || ends.done + ends.refused < 12; ) {
        for (const target of [first, second]) ends[await attempt(place, target)]++;
      }
    } finally {
      await swapper.terminate();
    }
    t.diagnostic(JSON.stringify(ends));
    assert.ok(ends.done + ends.refused > 10, JSON.stringify(ends));
    assert.deepEqual(
      readdirSync(outside).sort(),
      [0, 1, 2, 3, 4].map((i) => `old${i}`),
    );
    for (const name of readdirSync(outside)) assert.equal(readFileSync(join(outside, name), 'utf8'), 'mine');
  });
});

async function attempt(place: TreePlace, target: Parameters<TreePlace['plan']>[0]): Promise<'done' | 'refused'> {
  try {
    await finishWriteBacks(place.journal);
    await place.restore(await place.plan(target));
    return 'done';
  } catch (error) {
    if (isDevLoopError(error, 'plan_stale', 'conflict', 'restore_pending')) return 'refused';
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code)))
      return 'refused';
    throw error;
  }
}
