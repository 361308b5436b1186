import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inTempFolder } from '../support/temp-folder.ts';
import { checkWrittenLedgers } from '../support/written-ledgers.ts';

const TIMES = 5;
const CALLS = 'write,fsync,fdatasync,ftruncate,rename,mkdir,link,unlink';

/** Runs the writer with one fault, and tells the last position that it acknowledged. In one thread, so that calls can be counted. */
function write(data: string, fault?: string): number {
  const writer = [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'killed-writer.ts'),
    data,
    String(TIMES),
  ];
  const inject = fault === undefined ? [] : ['-e', `inject=${fault}`];
  const argv = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${CALLS}`, ...inject, process.execPath, ...writer];
  const { stdout } = spawnSync('strace', argv, {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number(stdout.slice(0, stdout.lastIndexOf('\n')).split('\n').at(-1) ?? 0);
}

async function faulty(fault: string): Promise<void> {
  await inTempFolder(async (data) => {
    await checkWrittenLedgers(data, write(data, fault));
    const before = write(data);
    await checkWrittenLedgers(data, before);
  });
}

const every = (step: number, most: number): number[] =>
  Array.from({ length: Math.floor(most / step) }, (_, i) => (i + 1) * step);

describe('ledgers and journal', () => {
  for (const [calls, step, most] of [
    ['write', 4, 56],
    ['fsync', 4, 32],
    ['rename', 1, 2],
  ] as const) {
    for (const n of every(step, most))
      it(`lose nothing where the writer is killed at ${calls} number ${n}`, () =>
        faulty(`${calls}:signal=SIGKILL:when=${n}`));
  }
  for (const n of every(8, 56))
    it(`lose nothing where there is no room at write number ${n}`, () => faulty(`write:error=ENOSPC:when=${n}`));
  for (const n of every(5, 30))
    it(`lose nothing where the disk fails at sync number ${n}`, () => faulty(`fsync,fdatasync:error=EIO:when=${n}`));
});
