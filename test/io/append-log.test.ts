import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openAppendLog } from '../../server/io/append-log.ts';
import { hasCode } from '../../server/io/io-error.ts';
import { type LogRecord, logLine } from '../../server/io/log-line.ts';
import { inTempFolder } from '../support/temp-folder.ts';

function readAll(path: string): { records: LogRecord[]; damaged: readonly number[]; torn: string | undefined } {
  const records: LogRecord[] = [];
  let torn: string | undefined;
  const { damaged } = openAppendLog(path, {
    onEntry: ({ record }) => record && records.push(record),
    onTorn: (bytes) => {
      torn = Buffer.from(bytes).toString();
    },
  });
  return { records, damaged, torn };
}

const RECORDS: readonly LogRecord[] = [
  { seq: 1, text: 'a' },
  { seq: 2, text: 'zwei\nZeilen · 二' },
  { seq: 3, nested: { sum: 'x' } },
];

describe('an append log', () => {
  it('gives back what was appended, across openings', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log.ndjson');
      openAppendLog(path).log.append(RECORDS.slice(0, 1));
      const { log } = openAppendLog(path);
      log.append(RECORDS.slice(1));
      assert.deepEqual(readAll(path), { records: [...RECORDS], damaged: [], torn: undefined });
      assert.equal(log.bytes, readFileSync(path).length);
    }));

  it('ends a line with its checksum', () => {
    assert.equal(logLine({ seq: 1 }), '{"seq":1,"sum":"b41e95c4"}');
  });

  it('keeps exactly the whole lines when it was cut at any byte, and sets the rest aside', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log.ndjson');
      openAppendLog(path).log.append(RECORDS);
      const whole = readFileSync(path);
      for (let length = 0; length <= whole.length; length++) {
        writeFileSync(path, whole.subarray(0, length));
        const lines = whole.subarray(0, length).toString('latin1').split('\n').length - 1;
        const before = whole.subarray(0, length);
        const end = before.lastIndexOf('\n') + 1;
        const { records, torn } = readAll(path);
        assert.deepEqual(records, RECORDS.slice(0, lines));
        assert.equal(torn, end < length ? before.subarray(end).toString() : undefined);
        openAppendLog(path).log.append([{ seq: 9 }]);
        assert.deepEqual(readAll(path).records, [...RECORDS.slice(0, lines), { seq: 9 }]);
      }
    }));

  it('never reads a record that was not written, whichever byte is changed', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log.ndjson');
      openAppendLog(path).log.append(RECORDS);
      const whole = readFileSync(path);
      fc.assert(
        fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
          const changed = Buffer.from(whole);
          changed[at] = (changed[at] ?? 0) ^ flip;
          writeFileSync(path, changed);
          for (const record of readAll(path).records) {
            assert.ok(RECORDS.some((one) => JSON.stringify(one) === JSON.stringify(record)));
          }
        }),
        { numRuns: 300 },
      );
    }));

  it('counts a damaged line in the middle and reads on', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log.ndjson');
      const [first, second, third] = RECORDS.map(logLine);
      writeFileSync(path, `${first}\n${second?.replace('zwei', 'drei')}\n${third}\n`);
      assert.deepEqual(readAll(path), { records: [RECORDS[0], RECORDS[2]], damaged: [2], torn: undefined });
    }));

  it('takes a damaged last line for torn, but not two of them', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log.ndjson');
      const first = RECORDS.map(logLine)[0];
      writeFileSync(path, `${first}\nxx\n`);
      assert.deepEqual(readAll(path), { records: [RECORDS[0]], damaged: [], torn: 'xx\n' });
      writeFileSync(path, `${first}\nxx\nyy\n`);
      assert.deepEqual(readAll(path), { records: [RECORDS[0]], damaged: [2, 3], torn: undefined });
    }));

  it('reads a line with the right sum that holds no object as damaged', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log.ndjson');
      openAppendLog(path).log.append(RECORDS);
      appendFileSync(path, `${logLine({ toJSON: () => 'text}' } as LogRecord)}\n${logLine({ seq: 4 })}\n`);
      assert.deepEqual(readAll(path).damaged, [4]);
    }));

  it('refuses links and folders, and records without members or with a sum of their own', () =>
    inTempFolder((folder) => {
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
      assert.throws(
        () => openAppendLog(join(folder, 'link')),
        (error) => hasCode(error, 'ELOOP'),
      );
      assert.throws(
        () => openAppendLog(folder),
        (error) => hasCode(error, 'EISDIR'),
      );
      const { log } = openAppendLog(join(folder, 'log'));
      assert.throws(() => log.append([{}]), TypeError);
      assert.throws(() => log.append([{ sum: 1 }]), TypeError);
      assert.throws(
        () => log.append([{ text: 'x'.repeat(20_000_000) }]),
        (error) => hasCode(error, 'too_large'),
      );
      assert.equal(log.bytes, 0);
    }));

  it('cuts off what a failed write left behind before it appends again', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      const { log } = openAppendLog(path);
      log.append([{ seq: 1 }]);
      appendFileSync(path, '{"seq":2,"te');
      log.append([{ seq: 2 }]);
      assert.deepEqual(readAll(path).records, [{ seq: 1 }, { seq: 2 }]);
    }));

  it('refuses to append to a file that has become shorter', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      const { log } = openAppendLog(path);
      log.append([{ seq: 1 }]);
      truncateSync(path, 3);
      assert.throws(
        () => log.append([{ seq: 2 }]),
        (error) => hasCode(error, 'log_damaged'),
      );
    }));

  it('says what is durable', () =>
    inTempFolder(async (folder) => {
      const { log } = openAppendLog(join(folder, 'log'));
      log.append([{ seq: 1 }]);
      assert.equal(log.syncedBytes, 0);
      const first = log.sync();
      log.append([{ seq: 2 }]);
      await Promise.all([first, log.sync()]);
      assert.equal(log.syncedBytes, log.bytes);
    }));

  it('makes any number of appends durable with few syncs', () =>
    inTempFolder(async (folder) => {
      const path = join(folder, 'log');
      const { log } = openAppendLog(path);
      const syncs = Array.from({ length: 2000 }, (_, seq) => {
        log.append([{ seq }]);
        return log.sync();
      });
      assert.ok(new Set(syncs).size <= 2);
      await Promise.all(syncs);
      assert.equal(log.syncedBytes, log.bytes);
    }));

  it('cuts off whole lines too from where it is told to, and sets them aside', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      openAppendLog(path).log.append(RECORDS);
      let torn = '';
      const opened = openAppendLog(path, {
        cutFrom: logLine(RECORDS[0] ?? {}).length + 1,
        onEntry: ({ record }) => assert.equal(record?.seq, 1),
        onTorn: (bytes) => {
          torn = Buffer.from(bytes).toString();
        },
      });
      assert.equal(opened.torn, true);
      assert.equal(
        torn,
        RECORDS.slice(1)
          .map((record) => `${logLine(record)}\n`)
          .join(''),
      );
      assert.deepEqual(readAll(path).records, RECORDS.slice(0, 1));
    }));

  it('takes back the lines of a failed sync, and fails the syncs that waited for them', () =>
    inTempFolder(async (folder) => {
      const path = join(folder, 'log');
      const { log } = openAppendLog(path);
      log.append([{ seq: 1 }]);
      await log.sync();
      log.append([{ seq: 2 }]);
      const hidden = readFileSync(path);
      // A link in the way makes the sync's open fail.
      renameSync(path, `${path}.kept`);
      symlinkSync(`${path}.kept`, path);
      await assert.rejects(log.sync(), (error) => hasCode(error, 'ELOOP'));
      rmSync(path);
      renameSync(`${path}.kept`, path);
      assert.deepEqual(readFileSync(path), hidden);
      log.append([{ seq: 3 }]);
      await log.sync();
      assert.deepEqual(readAll(path).records, [{ seq: 1 }, { seq: 3 }]);
    }));

  it('reads 10,000 lines with less than a second of work', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'log');
      const { log } = openAppendLog(path);
      for (let seq = 1; seq <= 10_000; seq++) log.append([{ seq, text: 'x'.repeat(200) }]);
      const before = process.cpuUsage();
      assert.equal(readAll(path).records.length, 10_000);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`);
    }));
});
