import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { watchWrites } from '../../../server/agents/process/watch-writes.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

/** A watched folder; `grown` resolves with the next growth that is told. */
function watched(t: TestContext) {
  const folder = scratchFolder(t);
  let next = Promise.withResolvers<number>();
  const told: number[] = [];
  const watch = watchWrites([folder], (bytes) => {
    told.push(bytes);
    next.resolve(bytes);
    next = Promise.withResolvers();
  });
  t.after(watch.stop);
  return { folder, told, ready: watch.ready, grown: () => next.promise };
}

describe('what a program writes', () => {
  it('is told as it grows, and not again', async (t) => {
    const { folder, grown, told, ready } = watched(t);
    await ready;
    const first = grown();
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, 'a/b/c'), Buffer.alloc(200_000, 1));
    assert.ok((await first) >= 200_000);
    const second = grown();
    writeFileSync(join(folder, 'more'), Buffer.alloc(50_000, 1));
    const more = await second;
    assert.ok(more >= 50_000 && more < 100_000, `${more}`);
    assert.equal(told.length, 2);
  });

  it('does not count holes, links, .git, or what comes back after it was removed', async (t) => {
    const { folder, grown, ready } = watched(t);
    await ready;
    const first = grown();
    writeFileSync(join(folder, 'file'), Buffer.alloc(100_000, 1));
    await first;
    writeFileSync(join(folder, 'hole'), '');
    truncateSync(join(folder, 'hole'), 1_000_000_000);
    symlinkSync('/usr', join(folder, 'link'));
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git/pack'), Buffer.alloc(300_000, 1));
    rmSync(join(folder, 'file'));
    writeFileSync(join(folder, 'file'), Buffer.alloc(100_000, 1));
    const second = grown();
    writeFileSync(join(folder, 'more'), Buffer.alloc(50_000, 1));
    assert.ok((await second) < 100_000);
  });
});
