import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type Line, runTraps } from './run-all.ts';

/** A program in the place of the one that runs traps; `says(n)` reports the trap as right. */
function workerOf(t: TestContext, body: string): { readonly worker: string; readonly folder: string } {
  const folder = scratchFolder(t);
  const worker = join(folder, 'worker.mjs');
  writeFileSync(
    worker,
    `import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
const report = (n) => ({ trap: String(n), right: 1, named: {}, faults: [], ms: 1 });
const says = (n) => writeSync(1, JSON.stringify({ number: n, reports: [{ scene: 'at rest', report: report(n) }] }) + '\\n');
for (const n of process.argv.slice(2).map(Number)) { ${body} }
`,
  );
  return { worker, folder };
}

const outcomes = (lines: readonly Line[]) =>
  lines.map(({ number, report }) => [number, report.faults.length === 0 ? 'right' : report.faults[0]]);

test('a trap that holds its process up, or ends it, is told as a fault, and those after it are run', async (t) => {
  const { worker } = workerOf(
    t,
    `if (n === 2) { for (;;) ; }
    if (n === 3) { writeSync(1, '{"number":3,"rep'); process.exit(7); }
    says(n);`,
  );
  const lines = await runTraps([1, 2, 3, 4], { worker, silence_ms: 1500 });
  assert.deepEqual(
    outcomes(lines).map(([number, outcome]) => [number, String(outcome).slice(0, 52)]),
    [
      [1, 'right'],
      [2, 'it caught the whole process, which ended with SIGKIL'],
      [3, 'it caught the whole process, which ended with 7: '],
      [4, 'right'],
    ],
  );
});

test('what a process has left running keeps nobody waiting, and is ended', async (t) => {
  const { worker, folder } = workerOf(
    t,
    `const left = spawn('sleep', ['600'], { stdio: 'inherit', detached: true, cwd: mkdtempSync(join(tmpdir(), 'x-')) });
    writeFileSync(process.argv[1].replace('worker.mjs', 'left'), String(left.pid));
    says(n);
    process.exit(0);`,
  );
  assert.deepEqual(outcomes(await runTraps([1], { worker })), [[1, 'right']]);
  const left = readFileSync(join(folder, 'left'), 'utf8');
  for (let i = 0; i < 100 && existsSync(`/proc/${left}/cwd`) && isAlive(left); i++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(!isAlive(left));
});

/** One that has ended and that nobody has asked about is not alive. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
