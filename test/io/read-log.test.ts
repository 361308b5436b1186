import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LogRecord, logLine, MAX_LINE, parseLogLine } from '../../server/io/log-line.ts';
import { type LogEntry, type LogRange, readLog } from '../../server/io/read-log.ts';
import { inTempFolder } from '../support/temp-folder.ts';

function entriesOf(content: string | Uint8Array, range?: LogRange): Promise<readonly LogEntry[]> {
  return inTempFolder((folder) => {
    const path = join(folder, 'log');
    writeFileSync(path, content);
    const fd = openSync(path, 'r');
    try {
      return [...readLog(fd, range)];
    } finally {
      closeSync(fd);
    }
  });
}

const jsonRecord = fc
  .dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
  .filter((record) => !('sum' in record) && !Object.hasOwn(record, '__proto__'));

describe('a log line', () => {
  it('is read back as the record it was made of, whatever JSON that is', () => {
    fc.assert(
      fc.property(jsonRecord, (record) => {
        const line = logLine(record);
        assert.equal(line.includes('\n'), false);
        assert.deepEqual(parseLogLine(line), JSON.parse(JSON.stringify(record)));
      }),
      { numRuns: 300 },
    );
  });

  it('is nothing where it has no sum, or that of another', () => {
    const [one, other] = [logLine({ seq: 1 }), logLine({ seq: 2 })];
    for (const text of ['', '{}', '{"seq":1}', 'x', one.slice(1), `${one} `, one.slice(0, -12) + other.slice(-12)])
      assert.equal(parseLogLine(text), undefined, text);
  });
});

describe('reading a log', () => {
  it('finds each line with its place, however lines and pieces of 64 kB fall', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(70_000), { maxLength: 6 }), async (lengths) => {
        const records: LogRecord[] = lengths.map((length, seq) => ({ seq, text: 'ä'.repeat(length) }));
        const lines = records.map((record) => `${logLine(record)}\n`);
        const entries = await entriesOf(`${lines.join('')}{"torn":`);
        assert.deepEqual(
          entries.map(({ record }) => record),
          records,
        );
        let start = 0;
        for (const [i, entry] of entries.entries()) {
          assert.equal(entry.start, start);
          start += Buffer.byteLength(lines[i] ?? '');
          assert.equal(entry.end, start);
        }
      }),
      { numRuns: 20 },
    ));

  it('begins and ends where it is told to', async () => {
    const lines = [1, 2, 3].map((seq) => `${logLine({ seq })}\n`);
    const [first = '', second = ''] = lines;
    const from = first.length;
    const read = async (range: LogRange) => (await entriesOf(lines.join(''), range)).map(({ record }) => record?.seq);
    assert.deepEqual(await read({ from }), [2, 3]);
    assert.deepEqual(await read({ from, to: from + second.length }), [2]);
    assert.deepEqual(await read({ to: from - 1 }), []);
    assert.deepEqual(await read({ from: 10_000 }), []);
  });

  it('counts empty lines and bytes that are no text as damaged lines', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\n'),
      Buffer.from([0xff, 0, 10]),
      Buffer.from(`${logLine({ seq: 1 })}\n`),
    ]);
    const entries = await entriesOf(bytes);
    assert.deepEqual(
      entries.map(({ record, start, end }) => [record, start, end - start]),
      [
        [undefined, 0, 1],
        [undefined, 1, 3],
        [{ seq: 1 }, 4, logLine({ seq: 1 }).length + 1],
      ],
    );
  });

  it('passes over a line that is too long for memory, and reads on', async () => {
    const line = logLine({ seq: 1 });
    const entries = await entriesOf(Buffer.concat([Buffer.alloc(MAX_LINE + 5, 120), Buffer.from(`\n${line}\n`)]));
    assert.deepEqual(
      entries.map(({ record }) => record),
      [undefined, { seq: 1 }],
    );
  });
});
