import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventLedgers, projectAt } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

/** Lets a writer work until it has acknowledged so many positions, kills it, and tells the last one that it acknowledged. */
async function killAfter(data: string, acknowledgements: number): Promise<number> {
  const argv = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'killed-writer.ts'), data];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
    if (printed.split('\n').length > acknowledgements) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return Number(printed.slice(0, printed.lastIndexOf('\n')).split('\n').at(-1));
}

const linesOf = (data: string, name: string) =>
  readFileSync(join(projectAt(data, PROJECT).root, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a writer of ledgers that is killed again and again', () => {
  it('has kept all that it acknowledged, once and in order', () =>
    inTempFolder(async (data) => {
      for (const acknowledgements of [1, 4, 9, 2]) {
        const acknowledged = await killAfter(data, acknowledgements);
        const { ledgers } = eventLedgers(data);
        const position = await ledgers.position(PROJECT);
        await ledgers.closeAll();
        assert.ok(position >= acknowledged, `${acknowledged} was acknowledged, ${position} is there`);
        const positions = Array.from({ length: position }, (_, i) => i + 1);
        assert.deepEqual(
          linesOf(data, 'timeline.ndjson').map(({ detail }) => detail),
          positions.flatMap((n) => [`${n} first`, `${n} second`]),
        );
        const revisions = linesOf(data, 'changelog.ndjson').map(({ rev }) => rev);
        assert.deepEqual(revisions.slice(0, position), positions);
        const stream = linesOf(data, 'stream.log');
        const sent = stream.filter(({ name }) => name === 'project.status').map((line) => line.data.detail);
        assert.deepEqual(
          sent,
          positions.flatMap((n) => [`${n} first`, `${n} second`]),
        );
        for (const [i, { seq }] of stream.entries()) assert.ok(i === 0 || seq > stream[i - 1].seq);
      }
    }));
});
