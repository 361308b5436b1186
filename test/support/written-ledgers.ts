import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileJournal } from '../../server/events/index.ts';
import { eventLedgers, projectAt } from './event-ledgers.ts';
import { PROJECT } from './project-folders.ts';

/** Opens what `test/events/killed-writer.ts` left, and checks that all it acknowledged is there, once and in order. */
export async function checkWrittenLedgers(data: string, acknowledged: number): Promise<void> {
  const { ledgers } = eventLedgers(data);
  const position = await ledgers.position(PROJECT);
  assert.deepEqual(await ledgers.check(PROJECT), []);
  await ledgers.closeAll();
  assert.ok(position >= acknowledged, `${acknowledged} was acknowledged, ${position} is there`);
  const positions = Array.from({ length: position }, (_, i) => i + 1);
  const details = positions.flatMap((n) => [`${n} first`, `${n} second`]);
  assert.deepEqual(
    linesOf(data, 'timeline.ndjson').map(({ detail }) => detail),
    details,
  );
  const revisions = linesOf(data, 'changelog.ndjson').map(({ rev }) => rev);
  assert.deepEqual(revisions.slice(0, position), positions);
  assert.ok(revisions.length <= position + 1);
  const stream = linesOf(data, 'stream.log');
  const sent = stream.filter(({ name }) => name === 'project.status').map((line) => line.data.detail);
  assert.deepEqual(sent, details);
  for (const [i, { seq }] of stream.entries()) assert.ok(i === 0 || seq > stream[i - 1].seq);
  const records = await new FileJournal(async (pid) => projectAt(data, pid)).load(PROJECT);
  assert.ok(records.length >= position);
  assert.deepEqual(
    records,
    records.map((_, i) => ({ position: i + 1 })),
  );
}

function linesOf(data: string, name: string) {
  return readFileSync(join(projectAt(data, PROJECT).root, name), { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
