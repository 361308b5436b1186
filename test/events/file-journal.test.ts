import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { FileJournal } from '../../server/events/index.ts';
import { hasCode } from '../../server/io/io-error.ts';
import type { JournalPort } from '../../server/loop/ports.ts';
import { projectAt } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const RECORDS = [
  { schema: 1, event: { kind: 'a', text: 'größer\n' } },
  { schema: 1, event: { kind: 'b' } },
  { schema: 1, event: { kind: 'c', list: [1, null] } },
];

const open = (data: string): JournalPort => new FileJournal(async (pid) => projectAt(data, pid));
const fileOf = (data: string): string => join(projectAt(data, PROJECT).state, 'journal.ndjson');

async function withRecords(data: string): Promise<Buffer> {
  const journal = open(data);
  for (const record of RECORDS) await journal.append(PROJECT, record);
  return readFileSync(fileOf(data));
}

describe("a project's journal", () => {
  it('is empty at first, and gives back what was appended, across restarts', () =>
    inTempFolder(async (data) => {
      assert.deepEqual(await open(data).load(PROJECT), []);
      await withRecords(data);
      assert.deepEqual(await open(data).load(PROJECT), RECORDS);
      await open(data).append(PROJECT, { later: true });
      assert.deepEqual(await open(data).load(PROJECT), [...RECORDS, { later: true }]);
    }));

  it('loses at most the record that was being written, wherever it was torn, and goes on after it', () =>
    inTempFolder(async (data) => {
      const whole = await withRecords(data);
      const lines = whole.toString('latin1').split('\n');
      const lastStart = whole.length - (lines.at(-2)?.length ?? 0) - 1;
      for (let length = lastStart; length <= whole.length; length += 3) {
        writeFileSync(fileOf(data), whole.subarray(0, length));
        const kept = length === whole.length ? 3 : 2;
        assert.deepEqual(await open(data).load(PROJECT), RECORDS.slice(0, kept));
        const journal = open(data);
        await journal.append(PROJECT, { next: length });
        assert.deepEqual(await open(data).load(PROJECT), [...RECORDS.slice(0, kept), { next: length }]);
      }
      const torn = join(projectAt(data, PROJECT).root, 'agent-state/torn');
      assert.ok(readdirSync(torn).every((name) => name.startsWith('journal.ndjson-')));
    }));

  it('is refused with the number of the line where one in the middle is damaged', () =>
    inTempFolder(async (data) => {
      const whole = await withRecords(data);
      const bytes = Buffer.from(whole);
      const second = bytes.indexOf('\n') + 1;
      bytes[second + 25] = (bytes[second + 25] ?? 0) ^ 1;
      writeFileSync(fileOf(data), bytes);
      const damaged = (error: unknown) =>
        isDevLoopError(error, 'journal_damaged') && /^line 2 of the journal of project p-aaaaaaaa/.test(error.message);
      await assert.rejects(open(data).load(PROJECT), damaged);
      await assert.rejects(open(data).append(PROJECT, { more: 1 }), damaged);
      assert.deepEqual(readFileSync(fileOf(data)), bytes, 'nothing is written to it');
    }));

  it('takes objects only', () =>
    inTempFolder(async (data) => {
      for (const record of ['text', null, [1], 7]) await assert.rejects(open(data).append(PROJECT, record), TypeError);
      assert.deepEqual(await open(data).load(PROJECT), []);
    }));

  it('keeps the order of appends that do not wait for each other', () =>
    inTempFolder(async (data) => {
      const journal = open(data);
      await journal.load(PROJECT);
      await Promise.all(Array.from({ length: 200 }, (_, n) => journal.append(PROJECT, { n })));
      const records = (await open(data).load(PROJECT)) as readonly { n: number }[];
      assert.deepEqual(
        records.map(({ n }) => n),
        Array.from({ length: 200 }, (_, n) => n),
      );
    }));

  it('is not followed through a link', () =>
    inTempFolder(async (data) => {
      mkdirSync(projectAt(data, PROJECT).state, { recursive: true });
      symlinkSync(join(data, 'elsewhere'), fileOf(data));
      await assert.rejects(open(data).load(PROJECT), (error) => hasCode(error, 'ELOOP'));
    }));

  it('fails the append where its file was deleted meanwhile', () =>
    inTempFolder(async (data) => {
      const journal = open(data);
      await journal.append(PROJECT, { n: 1 });
      rmSync(fileOf(data));
      await assert.rejects(journal.append(PROJECT, { n: 2 }), (error) => hasCode(error, 'ENOENT'));
    }));
});
