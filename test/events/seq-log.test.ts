import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SeqLog, type SeqRecord } from '../../server/events/seq-log.ts';
import { logLine } from '../../server/io/log-line.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const record = (seq: number, text = ''): SeqRecord => ({ seq, ts: new Date(seq).toISOString(), text });
const seqs = (records: Iterable<SeqRecord>): number[] => [...records].map(({ seq }) => seq);

describe('a numbered log', () => {
  it('is empty at first', () =>
    inTempFolder((folder) => {
      const log = new SeqLog(join(folder, 'log'));
      assert.deepEqual([log.first, log.last, log.lastTs], [undefined, 0, '']);
      assert.deepEqual(seqs(log.readAfter(0)), []);
    }));

  it('gives what comes after any number, whatever gaps the numbers have, before and after it is opened again', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(3000)), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        (steps, atOnce) =>
          inTempFolder((folder) => {
            const log = new SeqLog(join(folder, 'log'));
            let seq = 0;
            const records = steps.map(([step, length]) => {
              seq += step;
              return record(seq, 'x'.repeat(length));
            });
            for (let i = 0; i < records.length; i += atOnce) log.append(records.slice(i, i + atOnce));
            for (const one of [log, new SeqLog(join(folder, 'log'))]) {
              assert.deepEqual([one.first, one.last], [records[0]?.seq, seq]);
              assert.equal(one.lastTs, new Date(seq).toISOString());
              for (let after = 0; after <= seq + 1; after += 1 + Math.floor(seq / 9)) {
                assert.deepEqual(
                  [...one.readAfter(after)],
                  records.filter((each) => each.seq > after),
                );
              }
            }
          }),
      ),
      { numRuns: 25 },
    ));

  it('passes over damaged lines, lines that are no records of it, and numbers that do not grow', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      const others = [{ seq: '3', ts: 'x' }, { seq: 1.5, ts: 'x' }, { seq: 9 }, record(2), { text: 'no number' }];
      const lines = [record(1), record(2), ...others, record(7)].map(logLine);
      lines.splice(3, 0, 'damaged');
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
      const log = new SeqLog(path);
      assert.deepEqual(seqs(log.readAfter(0)), [1, 2, 7]);
      assert.deepEqual(seqs(log.readAfter(2)), [7]);
      assert.deepEqual(log.damaged, [4]);
      assert.equal(log.last, 7);
    }));

  it('begins a read near its number and not at the front', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      const log = new SeqLog(path);
      for (let seq = 1; seq <= 400; seq++) log.append([record(seq, 'x'.repeat(500))]);
      // What lies before the place where a read begins is not looked at: damage there does not show.
      const bytes = readFileSync(path);
      bytes.fill('#', 0, 150_000);
      writeFileSync(path, bytes);
      assert.deepEqual(seqs(log.readAfter(395)), [396, 397, 398, 399, 400]);
    }));

  it('does not give lines that another wrote behind its own', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      const log = new SeqLog(path);
      log.append([record(1)]);
      appendFileSync(path, `${logLine(record(2))}\n`);
      assert.deepEqual(seqs(log.readAfter(0)), [1]);
    }));

  it('can be left in the middle of a read', () =>
    inTempFolder((folder) => {
      const log = new SeqLog(join(folder, 'log'));
      for (let seq = 1; seq <= 5; seq++) log.append([record(seq)]);
      for (let i = 0; i < 3000; i++) {
        for (const { seq } of log.readAfter(2)) {
          assert.equal(seq, 3);
          break;
        }
      }
    }));
});
