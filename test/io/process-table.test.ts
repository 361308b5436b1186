import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { processHasVariable, processLives, processStartTime, processTable } from '../../server/io/process-table.ts';

async function sleeper(t: TestContext, name = 'sleep') {
  const child = spawn('sleep', ['60'], {
    argv0: name,
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', A: 'b c', LAST: '' },
  });
  await once(child, 'spawn');
  t.after(() => child.kill('SIGKILL'));
  return { child, pid: child.pid ?? 0, start_time: processStartTime(child.pid ?? 0) ?? '' };
}

test('the table has this process, with its parent and its group', () => {
  const own = processTable().find(({ pid }) => pid === process.pid);
  assert.equal(own?.parent, process.ppid);
  assert.match(own?.start_time ?? '', /^\d+$/);
});

test('a program cannot hide its state behind its name', async (t) => {
  const script =
    "require('node:fs').writeFileSync('/proc/self/comm', ') Z 1 (x'); console.log('up'); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  assert.equal(processTable().find(({ pid }) => pid === child.pid)?.parent, process.pid);
});

test('a process lives while its id and its start are the ones', async (t) => {
  const { child, pid, start_time } = await sleeper(t);
  assert.equal(processLives({ pid, start_time }), true);
  assert.equal(processLives({ pid, start_time: `${Number(start_time) + 1}` }), false);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  assert.equal(processLives({ pid, start_time }), false);
});

test('a zombie does not live, but its start is known', async (t) => {
  const script = 'sleep 0 & echo $!; exec sleep 60';
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  const pid = Number(String(said));
  while (processTable().some((entry) => entry.pid === pid)) await new Promise((resolve) => setImmediate(resolve));
  const start_time = processStartTime(pid);
  assert.ok(start_time !== undefined && existsSync(`/proc/${pid}`));
  assert.equal(processLives({ pid, start_time }), false);
});

test('there is no start of a process that is not there', () => {
  assert.equal(processStartTime(4_000_000), undefined);
});

test('a variable counts as a whole: its name, its value, nothing before or behind', async (t) => {
  const { pid } = await sleeper(t);
  for (const variable of ['A=b c', 'LAST=', 'PATH=/usr/bin:/bin'])
    assert.equal(processHasVariable(pid, variable), true, variable);
  for (const variable of ['A=b', 'A=', '=b c', 'AST=', 'A', 'b c'])
    assert.equal(processHasVariable(pid, variable), false, variable);
  assert.equal(processHasVariable(4_000_000, 'A=b'), false);
});
