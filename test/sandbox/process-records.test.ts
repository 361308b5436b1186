import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MARKER_VARIABLE } from '../../server/io/end-processes.ts';
import { processLives, processStartTime, processTable } from '../../server/io/process-table.ts';
import { endOrphans, processRecords } from '../../server/sandbox/index.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const ROOT = '/data/companies/default/projects/p-12345678';
const fileOf = (state: string): string => join(state, 'vaults/default/p-12345678/processes.json');
const notesIn = (state: string) => JSON.parse(readFileSync(fileOf(state), 'utf8')).processes;
const marker = (n: number): string => `marker-of-a-test-${process.pid}-${n}`;

/** A process that nobody will end but the code under test, or the test's end. */
async function stray(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  argv = ['sleep', '60'],
): Promise<{ pid: number; start_time: string }> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: { PATH: '/usr/bin:/bin', ...env } });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  t.after(() => child.kill('SIGKILL'));
  return { pid, start_time: processStartTime(pid) ?? '' };
}

const note = (state: string, processes: readonly object[]): void => {
  mkdirSync(dirname(fileOf(state)), { recursive: true });
  writeFileSync(fileOf(state), JSON.stringify({ schema: 1, processes }));
};

test('a call is on disk before it is started, with its process after, and gone when it has ended', (t) => {
  const state = scratchFolder(t);
  const record = processRecords(state).forProject(ROOT);
  const first = record.open({ call: 'c-1', marker: marker(1) });
  const second = record.open({ call: 'c-2', marker: marker(2) });
  first.started({ pid: 12, start_time: '34', marker: marker(1) });
  assert.deepEqual(notesIn(state), [
    { pid: null, start_time: null, call: 'c-1', marker: marker(1) },
    { pid: null, start_time: null, call: 'c-2', marker: marker(2) },
    { pid: 12, start_time: '34', call: 'c-1', marker: marker(1) },
  ]);
  first.close();
  assert.deepEqual(
    notesIn(state).map((one: { call: string }) => one.call),
    ['c-2'],
  );
  second.close();
  assert.deepEqual(notesIn(state), []);
});

test('one project has one record, whoever asks', (t) => {
  const records = processRecords(scratchFolder(t));
  assert.equal(records.forProject(ROOT), records.forProject(`${ROOT}`));
  assert.notEqual(records.forProject(ROOT), records.forProject(ROOT.replace('p-1', 'p-2')));
  assert.throws(() => records.forProject('/data/companies/../projects/p-1'), { code: 'validation_failed' });
});

test('at boot what a killed server left is ended: its process, its group, and what carries the marker elsewhere', async (t) => {
  const state = scratchFolder(t);
  const folder = scratchFolder(t);
  const env = { [MARKER_VARIABLE]: marker(3) };
  const script = `setsid sleep 60 & (exec -a x sleep 60) & echo $! > ${folder}/up; wait`;
  const leader = await stray(t, env, ['bash', '-c', script]);
  while (!existsSync(join(folder, 'up'))) await new Promise((resolve) => setImmediate(resolve));
  note(state, [
    { pid: null, start_time: null, call: 'c-1', marker: marker(3) },
    { ...leader, call: 'c-1', marker: marker(3) },
  ]);
  assert.deepEqual(await endOrphans(state), [{ cid: 'default', pid: 'p-12345678', call: 'c-1', survivors: [] }]);
  assert.deepEqual([processLives(leader), notesIn(state)], [false, []]);
  assert.ok(!processTable().some(({ group }) => group === leader.pid));
});

test('a call that was noted and whose process was not is found by its marker', async (t) => {
  const state = scratchFolder(t);
  const child = await stray(t, { [MARKER_VARIABLE]: marker(4) });
  note(state, [{ pid: null, start_time: null, call: 'c-1', marker: marker(4) }]);
  await endOrphans(state);
  assert.equal(processLives(child), false);
});

test('a process that only has the noted id, or the id and the start, is a stranger and stays', async (t) => {
  const state = scratchFolder(t);
  const [other, same] = [await stray(t, {}), await stray(t, { [MARKER_VARIABLE]: `${marker(5)}-longer` })];
  note(state, [
    { pid: other.pid, start_time: '1', call: 'c-1', marker: marker(5) },
    { ...same, call: 'c-2', marker: marker(5) },
  ]);
  await endOrphans(state);
  assert.deepEqual([processLives(other), processLives(same)], [true, true]);
});

test('where nothing was noted, or there is no state yet, nothing is done', async (t) => {
  const state = scratchFolder(t);
  assert.deepEqual(await endOrphans(join(state, 'none')), []);
  note(state, []);
  assert.deepEqual(await endOrphans(state), []);
});

test('a damaged record is said, not skipped', async (t) => {
  const state = scratchFolder(t);
  note(state, [{ pid: 1 }]);
  await assert.rejects(endOrphans(state), { code: 'store_damaged' });
});

test('notes of more than a page are kept whole, and a page again when they are fewer', (t) => {
  const state = scratchFolder(t);
  const record = processRecords(state).forProject(ROOT);
  const calls = Array.from({ length: 60 }, (_, i) => record.open({ call: `c-${i}`, marker: marker(i) }));
  assert.equal(notesIn(state).length, 60);
  const sizes = calls.map(({ close }) => {
    close();
    return [notesIn(state).length, statSync(fileOf(state)).size] as const;
  });
  assert.deepEqual(
    sizes.map(([notes]) => notes),
    calls.map((_, i) => 59 - i),
  );
  assert.ok((sizes[0]?.[1] ?? 0) > 4096);
  assert.equal(sizes.at(-1)?.[1], 4096);
});
