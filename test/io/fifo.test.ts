import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Fifo } from '../../server/io/fifo.ts';

describe('a queue', () => {
  it('gives its items in the order they came, like an array', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.constantFrom('take', 'all'))), (steps) => {
        const [fifo, array] = [new Fifo<number>(), [] as number[]];
        for (const step of steps) {
          if (step === 'take') assert.equal(fifo.take(), array.shift());
          else if (step === 'all') assert.deepEqual(fifo.takeAll(), array.splice(0));
          else {
            fifo.add(Number(step));
            array.push(Number(step));
          }
          assert.deepEqual([fifo.length, fifo.first], [array.length, array[0]]);
        }
      }),
    );
  });

  it('of a million items is emptied in the time that each takes, not all the rest', () => {
    const fifo = new Fifo<number>();
    for (let i = 0; i < 1_000_000; i++) fifo.add(i);
    const begun = process.cpuUsage().user;
    for (let i = 0; i < 1_000_000; i++) assert.equal(fifo.take(), i);
    assert.ok(process.cpuUsage().user - begun < 5_000_000);
    assert.equal(fifo.length, 0);
  });
});
