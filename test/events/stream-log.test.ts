import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SeqRecord } from '../../server/events/seq-log.ts';
import { type StreamLimits, StreamLog } from '../../server/events/stream-log.ts';
import { hasCode } from '../../server/io/io-error.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const LIMITS: StreamLimits = { file_bytes: 800, total_bytes: 1e9, keep_ms: 1e12 };
const open = (folder: string, limits: Partial<StreamLimits> = {}, now = () => Date.now()): StreamLog =>
  new StreamLog(
    { file: join(folder, 'stream.log'), archive: join(folder, 'archive') },
    { limits: { ...LIMITS, ...limits }, now },
  );
const record = (seq: number, length = 100): SeqRecord => ({
  seq,
  ts: '2026-01-01T00:00:00.000Z',
  text: 'x'.repeat(length),
});
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const seqs = (records: Iterable<SeqRecord>): number[] => [...records].map(({ seq }) => seq);

async function fill(log: StreamLog, from: number, to: number): Promise<void> {
  for (const seq of range(from, to)) {
    log.append([record(seq)]);
    await log.sync();
  }
}

describe('a stream log', () => {
  it('reads over all its files, whenever it was opened', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.record({ count: fc.nat(12), sync: fc.boolean(), reopen: fc.boolean() })), (steps) =>
        inTempFolder(async (folder) => {
          let log = open(folder);
          let last = 0;
          for (const { count, sync, reopen } of steps) {
            log.append(range(last + 1, last + count).map((seq) => record(seq)));
            last += count;
            if (sync) await log.sync();
            if (reopen) log = open(folder);
            assert.deepEqual([log.oldest, log.last], [1, last]);
            for (const after of [0, Math.floor(last / 2), last])
              assert.deepEqual(seqs(log.readAfter(after)), range(after + 1, last));
            assert.equal(log.check(), true);
          }
        }),
      ),
      { numRuns: 20 },
    ));

  it('moves a full file away, named after its numbers, and only when all of it is durable', () =>
    inTempFolder(async (folder) => {
      const log = open(folder);
      log.append(range(1, 8).map((seq) => record(seq)));
      assert.deepEqual(readdirSync(join(folder, 'archive')), []);
      await log.sync();
      assert.deepEqual(readdirSync(join(folder, 'archive')), ['1-8.ndjson']);
      assert.equal(readFileSync(join(folder, 'stream.log')).length, 0);
      assert.equal(log.last, 8);
      assert.equal(open(folder).last, 8);
    }));

  it('keeps no more than its limit in bytes', () =>
    inTempFolder(async (folder) => {
      const log = open(folder, { total_bytes: 3000 });
      await fill(log, 1, 60);
      const sizes = readdirSync(join(folder, 'archive')).map(
        (name) => readFileSync(join(folder, 'archive', name)).length,
      );
      assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 3000);
      assert.ok(log.oldest > 1);
      assert.deepEqual(seqs(log.readAfter(0)), range(log.oldest, 60));
    }));

  it('forgets files by their age, when a file is full and when it is opened', () =>
    inTempFolder(async (folder) => {
      let now = Date.now();
      const log = open(folder, { keep_ms: 7 * 86_400_000 }, () => now);
      await fill(log, 1, 20);
      const [oldest = ''] = readdirSync(join(folder, 'archive')).sort(
        (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
      );
      utimesSync(join(folder, 'archive', oldest), 0, (now - 8 * 86_400_000) / 1000);
      const opened = open(folder, { keep_ms: 7 * 86_400_000 }, () => now);
      assert.equal(opened.oldest, Number.parseInt(oldest.split('-')[1] ?? '', 10) + 1);
      now += 8 * 86_400_000;
      await fill(opened, 21, 30);
      assert.ok(opened.oldest > 20);
      assert.equal(opened.last, 30);
      assert.equal(open(folder, { keep_ms: 0 }, () => now).last, 30, 'the last number is never forgotten');
    }));

  it('passes over files in its archive that are not its own', () =>
    inTempFolder(async (folder) => {
      mkdirSync(join(folder, 'archive'));
      writeFileSync(join(folder, 'archive/notes.txt'), 'x');
      writeFileSync(join(folder, 'archive/1-x.ndjson'), 'x');
      const log = open(folder, { total_bytes: 1 });
      await fill(log, 1, 20);
      assert.ok(readdirSync(join(folder, 'archive')).includes('notes.txt'));
    }));

  it('notices every change of its file, and does not move a changed one away', () =>
    inTempFolder(async (folder) => {
      const log = open(folder);
      await fill(log, 1, 3);
      assert.equal(log.check(), true);
      const bytes = readFileSync(join(folder, 'stream.log'));
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ flip;
          writeFileSync(join(folder, 'stream.log'), changed);
          assert.equal(log.check(), false);
        }),
        { numRuns: 30 },
      );
      await assert.rejects(fill(log, 4, 10), (error) => hasCode(error, 'log_damaged'));
      assert.deepEqual(readdirSync(join(folder, 'archive')), []);
    }));
});
