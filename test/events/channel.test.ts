import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Channel, type StreamItem } from '../../server/events/channel.ts';
import type { SeqRecord } from '../../server/events/seq-log.ts';
import { StreamLog } from '../../server/events/stream-log.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const record = (seq: number, length = 10): SeqRecord => ({
  seq,
  ts: '2026-01-01T00:00:00.000Z',
  text: 'x'.repeat(length),
});

/** A channel whose records become durable when the test says so. */
class Bench {
  readonly log: StreamLog;
  readonly channel: Channel;
  made = 0;

  constructor(folder: string) {
    const limits = { file_bytes: 1e9, total_bytes: 1e9, keep_ms: 1e12 };
    const place = { file: join(folder, 'stream.log'), archive: join(folder, 'archive') };
    this.log = new StreamLog(place, { limits, now: () => 0 });
    this.channel = new Channel({
      log: () => this.log,
      itemOf: ({ seq, text }) => {
        this.made++;
        return text === '' ? undefined : { kind: 'event', id: String(seq), name: 'n', data: String(text) };
      },
    });
  }

  add(count: number, length?: number): void {
    const records = Array.from({ length: count }, (_, i) => record(this.log.last + 1 + i, length));
    this.log.append(records);
    this.channel.add(records);
  }
}

const idsOf = (items: readonly StreamItem[]): (number | string)[] =>
  items.map((item) => (item.kind === 'event' ? Number(item.id) : `reset ${item.oldest}`));

/** Pulls until so many items have come. */
async function pull(reader: AsyncIterator<readonly StreamItem[]>, count: number): Promise<StreamItem[]> {
  const items: StreamItem[] = [];
  while (items.length < count) {
    const { value, done } = await reader.next();
    if (done) break;
    items.push(...value);
  }
  return items;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('a channel', () => {
  it('gives nothing before it is durable', () =>
    inTempFolder(async (folder) => {
      const { channel, ...bench } = new Bench(folder);
      const add = (count: number) => {
        const records = range(bench.log.last + 1, bench.log.last + count).map((seq) => record(seq));
        bench.log.append(records);
        channel.add(records);
      };
      const controller = new AbortController();
      const reader = channel.follow({ after: '0', signal: controller.signal });
      add(3);
      const first = reader.next();
      let given = false;
      void first.then(() => {
        given = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(given, false);
      assert.deepEqual(
        channel.release(2).map(({ seq }) => seq),
        [1, 2],
      );
      assert.deepEqual(idsOf((await first).value ?? []), [1, 2]);
      assert.deepEqual(channel.release(2), []);
      channel.release(3);
      assert.deepEqual(idsOf(await pull(reader, 1)), [3]);
      controller.abort();
      assert.equal((await reader.next()).done, true);
    }));

  it('gives each reader the same, in order and once, for any order of adding, releasing and pulling', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            add: fc.nat(300),
            length: fc.constantFrom(10, 3000),
            release: fc.double({ min: 0, max: 1, noNaN: true }),
            pull: fc.array(fc.nat(9), { maxLength: 3 }),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.array(fc.nat(500), { minLength: 10, maxLength: 10 }),
        (steps, starts) =>
          inTempFolder(async (folder) => {
            const bench = new Bench(folder);
            const { signal } = new AbortController();
            let released = 0;
            const readers = starts.map(
              () =>
                undefined as
                  | undefined
                  | { it: AsyncIterator<readonly StreamItem[]>; after: number; got: (number | string)[] },
            );
            for (const step of steps) {
              bench.add(step.add, step.length);
              released += Math.floor((bench.log.last - released) * step.release);
              bench.channel.release(released);
              for (const i of step.pull) {
                const after = Math.min(starts[i] ?? 0, released);
                readers[i] ??= { it: bench.channel.follow({ after: String(after), signal }), after, got: [] };
                const reader = readers[i];
                if (reader.after + reader.got.length < released) reader.got.push(...idsOf(await pull(reader.it, 1)));
              }
            }
            bench.channel.release(bench.log.last);
            bench.channel.end();
            for (const reader of readers) {
              if (reader === undefined) continue;
              reader.got.push(...idsOf(await pull(reader.it, Number.POSITIVE_INFINITY)));
              assert.deepEqual(reader.got, range(reader.after + 1, bench.log.last));
            }
          }),
      ),
      { numRuns: 10 },
    ));

  it('makes an event once for all who keep up, and reads the log for those who do not', () =>
    inTempFolder(async (folder) => {
      const bench = new Bench(folder);
      const { signal } = new AbortController();
      const quick = Array.from({ length: 50 }, () => bench.channel.follow({ after: '0', signal }));
      for (let i = 0; i < 20; i++) {
        bench.add(10);
        bench.channel.release(bench.log.last);
        await Promise.all(quick.map((reader) => pull(reader, 10)));
      }
      assert.equal(bench.made, 200);
      bench.add(5000);
      bench.channel.release(bench.log.last);
      const made = bench.made;
      const slow = await pull(bench.channel.follow({ after: '0', signal }), 5200);
      assert.deepEqual(idsOf(slow), range(1, 5200));
      assert.ok(bench.made > made + 4000, 'what is long past is made anew');
    }));

  it('remembers a bounded number of characters, however large the events are', () =>
    inTempFolder(async (folder) => {
      const bench = new Bench(folder);
      const { signal } = new AbortController();
      for (let i = 0; i < 40; i++) {
        bench.add(1, 100_000);
        bench.channel.release(bench.log.last);
      }
      const before = bench.made;
      const reader = bench.channel.follow({ after: '0', signal });
      const sizes: number[] = [];
      for (let got = 0; got < 40; ) {
        const { value } = await reader.next();
        sizes.push(value?.length ?? 0);
        got += value?.length ?? 0;
      }
      assert.ok(Math.max(...sizes) < 15, 'a pull is bounded too');
      assert.ok(bench.made - before >= 25, 'most were not remembered');
    }));

  it('does not send what is not to be sent, and counts it as had', () =>
    inTempFolder(async (folder) => {
      const bench = new Bench(folder);
      const { signal } = new AbortController();
      bench.add(2);
      bench.add(3, 0);
      bench.add(1);
      bench.channel.release(6);
      assert.deepEqual(idsOf(await pull(bench.channel.follow({ after: '1', signal }), 2)), [2, 6]);
      assert.deepEqual(idsOf(await pull(bench.channel.follow({ after: '3', signal }), 1)), [6]);
    }));

  it('ends its readers when they have everything, and those who come later at once', () =>
    inTempFolder(async (folder) => {
      const bench = new Bench(folder);
      const { signal } = new AbortController();
      bench.add(3);
      bench.channel.release(3);
      const waiting = bench.channel.follow({ after: '3', signal }).next();
      bench.channel.end();
      assert.equal((await waiting).done, true);
      assert.deepEqual(idsOf(await pull(bench.channel.follow({ after: '0', signal }), 99)), [1, 2, 3]);
      assert.equal((await bench.channel.follow({ signal }).next()).done, true);
    }));

  it('ends a reader whose signal was given before it began', () =>
    inTempFolder(async (folder) => {
      const bench = new Bench(folder);
      bench.add(1);
      bench.channel.release(1);
      assert.equal((await bench.channel.follow({ after: '0', signal: AbortSignal.abort() }).next()).done, true);
    }));
});
