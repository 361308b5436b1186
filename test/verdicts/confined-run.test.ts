import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Command, processRecords, type Sandbox } from '../../server/sandbox/index.ts';
import { openRun } from '../../server/verdicts/confined-run.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** A sandbox that only keeps what it was asked to hold. */
function watchedRun(t: TestContext) {
  const scratch = scratchFolder(t);
  const root = join(scratch, 'data/companies/default/projects/p-12345678');
  for (const folder of [root, join(scratch, 'tmp')]) mkdirSync(folder, { recursive: true });
  const commands: Command[] = [];
  const sandbox: Sandbox = {
    layers: [],
    shim: '/shim',
    path: '/usr/bin',
    confine: (command) => {
      commands.push(command);
      return ['held', ...command.argv];
    },
  };
  const state = join(scratch, 'data/.devloop');
  const run = openRun(
    { sandbox, tmp: join(scratch, 'tmp'), processes: processRecords(state).forProject },
    { root, name: 'unit-todo' },
  );
  const notes = () =>
    JSON.parse(readFileSync(join(state, 'vaults/default/p-12345678/processes.json'), 'utf8')).processes;
  return { root, run, commands, notes };
}

const start = { argv: ['node', '--test'], cwd: '/somewhere', network: 'own' } as const;

test('a program of a unit may write its folder and what is temporary, but not what the server writes there', (t) => {
  const { root, run, commands } = watchedRun(t);
  const request = run.request({ ...start, unit: 'todo', env: { A: 'b', GIT_DIR: 'x' } });
  const own = join(root, 'units/todo');
  assert.deepEqual(commands, [
    {
      argv: start.argv,
      cwd: start.cwd,
      network: 'own',
      root,
      writable: [own, run.folder],
      protected: ['runs', 'coder.log', 'contract.json'].map((name) => join(own, name)),
      hidden: ['.git', 'agent-state', 'timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson', 'stream.log'].map((name) =>
        join(root, name),
      ),
    },
  ]);
  assert.deepEqual(
    [request.argv, request.cwd, request.env.A, request.env.GIT_DIR],
    [['held', 'node', '--test'], '/somewhere', 'b', undefined],
  );
  assert.deepEqual([request.env.HOME, request.env.TMPDIR], [join(run.folder, 'home'), join(run.folder, 'tmp')]);
});

test('a program of no unit may write what is temporary only', (t) => {
  const { run, commands } = watchedRun(t);
  run.request({ ...start, network: 'host' });
  assert.deepEqual([commands[0]?.writable, commands[0]?.protected, commands[0]?.network], [[run.folder], [], 'host']);
});

test('each program has a marker of its own, on disk before it is started', (t) => {
  const { run, notes } = watchedRun(t);
  const markers = [run.request(start), run.request(start)].map(({ marker }) => marker);
  assert.equal(new Set(markers).size, 2);
  assert.deepEqual(
    notes(),
    markers.map((marker) => ({ pid: null, start_time: null, call: 'unit-todo', marker })),
  );
});

test('when the run is closed its folders are gone and nothing is noted any more', async (t) => {
  const { run, notes } = watchedRun(t);
  const request = run.request(start);
  request.onStart?.({ pid: 12, start_time: '34', marker: request.marker });
  assert.equal(notes().length, 2);
  mkdirSync(join(run.folder, 'tmp/locked'));
  writeFileSync(join(run.folder, 'tmp/locked/file'), '', { mode: 0o000 });
  await run.close();
  assert.deepEqual([existsSync(run.folder), notes()], [false, []]);
});
