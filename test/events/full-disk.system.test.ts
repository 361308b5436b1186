import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { FileJournal } from '../../server/events/index.ts';
import { entry, eventLedgers, projectAt } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

/** A data folder on a disk of its own with little room. */
const onSmallDisk = (use: (data: string) => Promise<void>) =>
  inTempFolder(async (folder) => {
    const data = join(folder, 'disk');
    mkdirSync(data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', data]);
    try {
      await use(data);
    } finally {
      execFileSync('umount', [data]);
    }
  });

const diskFull = (error: unknown): boolean => isDevLoopError(error, 'disk_full');

describe('a full disk', () => {
  it('refuses an append to the ledgers, loses nothing, and takes the same one when there is room', () =>
    onSmallDisk(async (data) => {
      const { ledgers } = eventLedgers(data);
      writeFileSync(join(data, 'ballast'), Buffer.alloc(60_000));
      let position = 0;
      let refusals = 0;
      const append = async () => {
        await ledgers.append(PROJECT, position + 1, entry(`${position + 1} ${'x'.repeat(3000)}`));
        position++;
      };
      while (refusals < 3) {
        try {
          await append();
        } catch (error) {
          if (!diskFull(error)) throw error;
          refusals++;
        }
      }
      rmSync(join(data, 'ballast'));
      await append();
      assert.deepEqual(await ledgers.check(PROJECT), []);
      await ledgers.closeAll();
      const lines = readFileSync(join(projectAt(data, PROJECT).root, 'timeline.ndjson'), 'utf8')
        .trimEnd()
        .split('\n');
      assert.deepEqual(
        lines.map((line) => Number.parseInt(JSON.parse(line).detail, 10)),
        Array.from({ length: position }, (_, i) => i + 1),
      );
    }));

  it('refuses a record of the journal, and keeps those before it', () =>
    onSmallDisk(async (data) => {
      const journal = new FileJournal(async (pid) => projectAt(data, pid));
      await journal.append(PROJECT, { n: 0 });
      writeFileSync(join(data, 'ballast'), Buffer.alloc(60_000));
      let kept = 1;
      await assert.rejects(async () => {
        for (;;) {
          await journal.append(PROJECT, { n: kept, text: 'x'.repeat(5000) });
          kept++;
        }
      }, diskFull);
      rmSync(join(data, 'ballast'));
      await journal.append(PROJECT, { n: kept });
      const records = (await new FileJournal(async (pid) => projectAt(data, pid)).load(PROJECT)) as { n: number }[];
      assert.deepEqual(
        records.map(({ n }) => n),
        Array.from({ length: kept + 1 }, (_, n) => n),
      );
    }));
});
