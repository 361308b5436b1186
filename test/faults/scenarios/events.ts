import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileJournal } from '../../../server/events/index.ts';
import { entry, eventLedgers, projectAt } from '../../support/event-ledgers.ts';
import { PROJECT } from '../../support/project-folders.ts';
import type { Scenario } from '../scenario.ts';

const BEFORE = 5;

function journalIn(folder: string): FileJournal {
  mkdirSync(join(folder, '.devloop/vaults/default', PROJECT), { recursive: true });
  return new FileJournal(async () => projectAt(folder, PROJECT));
}

/** The loop's note of what happened: a record behind five others. */
const journalScenario: Scenario = {
  name: 'journal-append',
  setup: async (folder) => {
    const journal = journalIn(folder);
    for (let n = 1; n <= BEFORE; n++) await journal.append(PROJECT, { n });
  },
  prepare: async (folder) => {
    const journal = journalIn(folder);
    await journal.load(PROJECT);
    return () => journal.append(PROJECT, { n: BEFORE + 1 });
  },
  check: async (folder, end) => {
    const numbers = async () => (await journalIn(folder).load(PROJECT)).map((record) => (record as { n: number }).n);
    const kept = await numbers();
    assert.ok(kept.length >= (end.kind === 'acknowledged' ? BEFORE + 1 : BEFORE), 'nothing acknowledged is lost');
    await journalIn(folder).append(PROJECT, { n: kept.length + 1 });
    assert.deepEqual(
      await numbers(),
      Array.from({ length: kept.length + 1 }, (_, i) => i + 1),
    );
  },
};

/** The ledgers that people read, behind five other entries, with a line in each of the three. */
const ledgersScenario: Scenario = {
  name: 'ledgers-append',
  setup: async (folder) => {
    const { ledgers } = eventLedgers(folder);
    for (let n = 1; n <= BEFORE; n++) await ledgers.append(PROJECT, n, entry(`${n}`));
    await ledgers.closeAll();
  },
  prepare: async (folder) => {
    const { ledgers } = eventLedgers(folder);
    await ledgers.open(PROJECT);
    return () => ledgers.append(PROJECT, BEFORE + 1, { ...entry('6'), changelog: [{ rev: 1 }], bugs: [{ id: 'b' }] });
  },
  check: async (folder, end) => {
    const { ledgers } = eventLedgers(folder);
    await ledgers.open(PROJECT);
    const position = await ledgers.position(PROJECT);
    assert.ok(position >= (end.kind === 'acknowledged' ? BEFORE + 1 : BEFORE), 'nothing acknowledged is lost');
    for (let n = position + 1; n <= BEFORE + 2; n++) await ledgers.append(PROJECT, n, entry(`${n}`));
    await ledgers.closeAll();
    assert.deepEqual(
      linesOf(folder, 'timeline.ndjson').map(({ detail }) => detail),
      Array.from({ length: BEFORE + 2 }, (_, i) => `${i + 1}`),
    );
    for (const name of ['changelog.ndjson', 'bugs.ndjson'])
      assert.ok(linesOf(folder, name).length <= 1, `${name} has a line twice`);
  },
};

function linesOf(folder: string, name: string): readonly Readonly<Record<string, unknown>>[] {
  const path = join(projectAt(folder, PROJECT).root, name);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** What the loop notes and tells. */
export const eventScenarios: readonly Scenario[] = [journalScenario, ledgersScenario];
