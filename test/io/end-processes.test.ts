import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { endProcesses, MARKER_VARIABLE } from '../../server/io/end-processes.ts';
import { processHasVariable, processLives, processStartTime, processTable } from '../../server/io/process-table.ts';

const PATH = '/usr/bin:/bin';

interface Stray {
  readonly pid: number;
  readonly start_time: string;
  readonly child: ChildProcess;
}

/** A process that says `up` once it is as it will be, in a group of its own. */
async function stray(t: TestContext, script: string, env: Readonly<Record<string, string>> = {}): Promise<Stray> {
  const child = spawn('sh', ['-c', script], {
    detached: true,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = child.pid ?? 0;
  t.after(() => {
    if (inGroup(pid) > 0) process.kill(-pid, 'SIGKILL');
  });
  await once(child.stdout ?? child, 'data');
  return { pid, start_time: processStartTime(pid) ?? '', child };
}

const newMarker = (): string => randomBytes(12).toString('hex');
const lives = ({ pid, start_time }: Stray): boolean => processLives({ pid, start_time });
const inGroup = (group: number): number => processTable().filter((entry) => entry.group === group).length;
const SLEEP = 'echo up; exec sleep 60';

test('a process that ends when asked is asked only', async (t) => {
  const leader = await stray(t, 'trap "exit 0" TERM; echo up; while :; do sleep 0.02; done');
  const begun = performance.now();
  assert.deepEqual(await endProcesses({ ...leader, marker: newMarker() }, { grace_ms: 30_000 }), []);
  assert.deepEqual([lives(leader), inGroup(leader.pid)], [false, 0]);
  assert.ok(performance.now() - begun < 10_000);
});

test('what does not end when asked is killed after the grace', async (t) => {
  const leader = await stray(t, 'trap : TERM; echo up; while :; do sleep 0.05; done');
  assert.deepEqual(await endProcesses({ ...leader, marker: newMarker() }, { grace_ms: 60 }), []);
  assert.equal(lives(leader), false);
});

test('without a grace everything is killed at once', async (t) => {
  const leader = await stray(t, SLEEP);
  await endProcesses({ ...leader, marker: newMarker() }, { grace_ms: 0 });
  assert.equal(lives(leader), false);
});

test('what carries the marker is ended, wherever it is and whatever its parent is', async (t) => {
  const marker = newMarker();
  const [one, other] = [
    await stray(t, SLEEP, { [MARKER_VARIABLE]: marker }),
    await stray(t, SLEEP, { [MARKER_VARIABLE]: marker }),
  ];
  await endProcesses({ pid: 0, start_time: undefined, marker }, { grace_ms: 1_000 });
  assert.deepEqual([lives(one), lives(other)], [false, false]);
});

test('a marker that only begins alike, or stands in another variable, is another', async (t) => {
  const marker = newMarker();
  const strangers = [
    await stray(t, SLEEP, { [MARKER_VARIABLE]: `${marker}x` }),
    await stray(t, SLEEP, { OTHER: `${MARKER_VARIABLE}=${marker}` }),
    await stray(t, SLEEP, { [`X${MARKER_VARIABLE}`]: marker }),
  ];
  await endProcesses({ pid: 0, start_time: undefined, marker }, { grace_ms: 0 });
  assert.deepEqual(strangers.map(lives), [true, true, true]);
});

test('a pid that belongs to another process by now is left alone, and its group too', async (t) => {
  const leader = await stray(t, 'sleep 60 & echo up; wait');
  assert.deepEqual(await endProcesses({ pid: leader.pid, start_time: '1', marker: newMarker() }, { grace_ms: 0 }), []);
  assert.deepEqual([lives(leader), inGroup(leader.pid)], [true, 2]);
});

test('a group whose leader is gone is ended all the same', async (t) => {
  const leader = await stray(t, 'sleep 60 & echo up; exec sleep 60');
  const gone = once(leader.child, 'exit');
  leader.child.kill('SIGKILL');
  await gone;
  assert.equal(inGroup(leader.pid), 1);
  await endProcesses({ ...leader, marker: newMarker() }, { grace_ms: 1_000 });
  assert.equal(inGroup(leader.pid), 0);
});

test('nothing to end is nothing to wait for', async () => {
  const begun = performance.now();
  assert.deepEqual(
    await endProcesses({ pid: 4_000_000, start_time: '1', marker: newMarker() }, { grace_ms: 60_000 }),
    [],
  );
  assert.ok(performance.now() - begun < 5_000);
});

test('a process that starts others while it is ended does not win', async (t) => {
  const marker = newMarker();
  const leader = await stray(t, 'trap "sleep 60 & sleep 60 &" TERM; echo up; while :; do sleep 0.01; done', {
    [MARKER_VARIABLE]: marker,
  });
  assert.deepEqual(await endProcesses({ ...leader, marker }, { grace_ms: 60 }), []);
  assert.equal(processTable().filter(({ pid }) => processHasVariable(pid, `${MARKER_VARIABLE}=${marker}`)).length, 0);
});
