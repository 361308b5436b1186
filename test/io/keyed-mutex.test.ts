import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyedMutex } from '../../server/io/keyed-mutex.ts';

const locks = (timeout_ms = 1000) => new KeyedMutex({ timeout_ms, onTimeout: (key) => new Error(`${key} is busy`) });

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe('a keyed mutex', () => {
  it('does the work of one key one after the other, in the order of asking', async () => {
    const mutex = locks();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all(['a', 'b', 'c'].map((name) => mutex.run('key', work(name))));
    assert.deepEqual(results, ['a', 'b', 'c']);
    assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets other keys go on', async () => {
    const mutex = locks();
    const { opened, open } = gate();
    const slow = mutex.run('a', () => opened);
    assert.equal(await mutex.run('b', () => 'done'), 'done');
    open();
    await slow;
  });

  it('lets the next one in after a failure', async () => {
    const mutex = locks();
    await assert.rejects(
      mutex.run('a', () => {
        throw new Error('failed');
      }),
      /failed/,
    );
    assert.equal(await mutex.run('a', () => 'done'), 'done');
  });

  it("fails with the caller's error who waits too long, and does not do the work later", async () => {
    const mutex = locks(5);
    const { opened, open } = gate();
    let ran = false;
    const slow = mutex.run('a', () => opened);
    const late = mutex.run('a', () => {
      ran = true;
    });
    await assert.rejects(late, /a is busy/);
    open();
    await slow;
    assert.equal(await mutex.run('a', () => 'next'), 'next');
    assert.equal(ran, false);
  });

  it('forgets a key that nobody uses', async () => {
    const mutex = locks();
    const { opened, open } = gate();
    const work = mutex.run('a', () => opened);
    assert.equal(mutex.isHeld('a'), true);
    open();
    await work;
    assert.equal(mutex.isHeld('a'), false);
  });
});
