import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inTempFolder } from '../support/temp-folder.ts';
import { checkWrittenLedgers } from '../support/written-ledgers.ts';

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

describe('a writer of ledgers that is killed again and again', () => {
  it('has kept all that it acknowledged, once and in order', () =>
    inTempFolder(async (data) => {
      for (const acknowledgements of [1, 4, 9, 2])
        await checkWrittenLedgers(data, await killAfter(data, acknowledgements));
    }));
});
