import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openAppendLog } from '../../../server/io/append-log.ts';
import type { Scenario } from '../scenario.ts';

const FILE = 'journal.ndjson';

/** A durable append of one record behind twenty others. */
export const appendLogScenario: Scenario = {
  name: 'append-log',
  setup: async (folder) => {
    const { log } = openAppendLog(join(folder, FILE));
    log.append(Array.from({ length: 20 }, (_, n) => ({ n })));
    await log.sync();
  },
  prepare: async (folder) => {
    const { log } = openAppendLog(join(folder, FILE));
    return async () => {
      log.append([{ n: 20 }]);
      await log.sync();
    };
  },
  check: async (folder, end) => {
    const records = read(folder);
    const numbers = records.map(({ n }) => n);
    assert.deepEqual(numbers, [...Array(numbers.length).keys()], 'whole records in order');
    assert.ok(numbers.length >= (end.kind === 'acknowledged' ? 21 : 20), 'nothing acknowledged is lost');
    const { log } = openAppendLog(join(folder, FILE));
    log.append([{ n: numbers.length }]);
    await log.sync();
    assert.equal(read(folder).length, numbers.length + 1, 'the next append works');
  },
};

function read(folder: string): readonly Readonly<Record<string, unknown>>[] {
  const records: Readonly<Record<string, unknown>>[] = [];
  const { damaged } = openAppendLog(join(folder, FILE), {
    onEntry: ({ record }) => {
      if (record !== undefined) records.push(record);
    },
  });
  assert.deepEqual(damaged, []);
  return records;
}
