import assert from 'node:assert/strict';
import fs, { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import type { RestorePlan } from '../../server/domain/restore-plan.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { TreePlace } from '../support/tree-place.ts';

const CALLS = ['openSync', 'writeSync', 'renameSync', 'mkdirSync', 'rmSync', 'rmdirSync', 'fsyncSync'] as const;

/** Makes one call of a function of the file system fail while work is done. @returns whether there were so many calls */
async function failing(name: (typeof CALLS)[number], at: number, work: () => Promise<void>): Promise<boolean> {
  const real = fs[name] as (...args: unknown[]) => unknown;
  let calls = 0;
  const faulty = (...args: unknown[]): unknown => {
    if (++calls === at) throw Object.assign(new Error('refused'), { code: 'EIO', syscall: name });
    return real(...args);
  };
  Object.assign(fs, { [name]: faulty });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { [name]: real });
    syncBuiltinESMExports();
  }
  return calls >= at;
}

const openFiles = (): number => readdirSync('/proc/self/fd').length;

/** Restores while one call after the other fails, and looks at what became of the files. */
async function tryAll(restore: (place: TreePlace, plan: RestorePlan) => Promise<unknown>): Promise<void> {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const names = ['a', 'b', 'c'];
    const fill = (text: string): void => {
      for (const name of names) {
        mkdirSync(join(place.root, name), { recursive: true });
        writeFileSync(join(place.root, name, 'f'), text);
      }
    };
    fill('old');
    const saved = await place.keep();
    const attempt = async (name: (typeof CALLS)[number], at: number): Promise<boolean> => {
      const text = `new ${name} ${at}`;
      fill(text);
      rmSync(join(place.root, 'b'), { recursive: true });
      const plan = await place.plan(saved);
      const before = openFiles();
      let outcome = 'old';
      const isReached = await failing(name, at, async () => {
        await restore(place, plan).catch((error: unknown) => {
          outcome = isDevLoopError(error, 'restore_pending') ? 'pending' : 'new';
        });
      });
      assert.equal(openFiles(), before, `${name} ${at}`);
      await place.finish();
      const expected = outcome === 'new' ? [text, text] : ['old', 'old', 'old'];
      const there = names.filter((one) => readdirSync(place.root).includes(one));
      assert.deepEqual(
        there.map((one) => readFileSync(join(place.root, one, 'f'), 'utf8')),
        expected,
        `${name} ${at}`,
      );
      assert.deepEqual([readdirSync(place.journal), readdirSync(place.root).length], [[], there.length]);
      return isReached;
    };
    for (const name of CALLS) for (let at = 1; await attempt(name, at); at++);
  });
}

test('whichever call the system refuses, all files are as before, or the restore ends later, and nothing stays open', () =>
  tryAll((place, plan) => place.restore(plan)));

test('so it is where the disk is not waited for: what was told is carried on where it could not be made safe', () =>
  tryAll(async (place, plan) => {
    const { settled } = await place.restoreSoon(plan);
    await settled.catch(() => undefined);
  }));
