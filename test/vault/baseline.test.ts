import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { advanceBaseline, changesSinceBaseline, dropBaseline, takeBaseline } from '../../server/vault/baseline.ts';
import { putBack } from '../../server/vault/put-back.ts';
import { contentOf, diskSnapshot } from '../support/disk-snapshot.ts';
import { type ProjectVault, projectVault } from '../support/project-vault.ts';
import { applyEdits, editsOf } from '../support/tree-edits.ts';

async function withBaseline(
  t: TestContext,
  arrange: (project: ProjectVault) => void = () => {},
): Promise<ProjectVault> {
  const project = await projectVault(t);
  arrange(project);
  await project.write(takeBaseline);
  t.after(() => project.write(async (vault) => dropBaseline(vault)));
  return project;
}

const changes = (project: ProjectVault) => project.write((vault) => changesSinceBaseline(vault));
const back = async (project: ProjectVault) => {
  const paths = (await changes(project)).map(({ path }) => path);
  return project.write((vault) => putBack(vault, paths, 'stray'));
};
const path = bytePathFromLatin1;

test('whatever was done to dirty files is told and can be put back to the byte and mode', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      editsOf(['a', 'b', 'x.log', '\xff']),
      editsOf(['a', 'b', 'x.log', '\xff']),
      async (first, second) => {
        const project = await withBaseline(t, ({ root }) => applyEdits(root, first));
        const before = filesOf(project);
        applyEdits(project.root, second);
        await back(project);
        assert.deepEqual(filesOf(project), before);
        assert.deepEqual(await changes(project), []);
        await project.write(async (vault) => dropBaseline(vault));
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 15) },
  );
});

function filesOf(project: ProjectVault): Record<string, string> {
  const all = diskSnapshot(project.root, (name) => name === '.git');
  return contentOf(new Map([...all].filter(([, { kind }]) => kind !== 'folder')));
}

test('ignored files count too, what the server and the tools write all the time does not', async (t) => {
  const project = await withBaseline(t, ({ put }) => {
    put('stream.log', '1');
    put('units/a/runs/r/stdout.txt', 'printed');
  });
  project.put('stream.log', '2');
  project.put('agent-state/calls/c/out/result.json', '{}');
  project.put('units/a/code/node_modules/x', '1');
  project.put('.env', 'KEY=1');
  rmSync(join(project.root, 'units/a/runs/r/stdout.txt'));
  assert.deepEqual(await changes(project), [
    { path: '.env', change: 'added' },
    { path: 'units/a/runs/r/stdout.txt', change: 'deleted' },
  ]);
  const { rescue } = await back(project);
  assert.ok(!existsSync(join(project.root, '.env')));
  assert.equal(readFileSync(join(project.root, 'units/a/runs/r/stdout.txt'), 'utf8'), 'printed');
  assert.equal(project.git('show', `refs/devloop/rescue/${rescue}:.env`), 'KEY=1');
});

test('only what is asked for is put back', async (t) => {
  const project = await withBaseline(t, ({ put }) => put('a/x', '1'));
  for (const name of ['a/x', 'a/y', 'b']) project.put(name, '2');
  await project.write((vault) => putBack(vault, [path('a/x')], 'stray'));
  assert.deepEqual(await changes(project), [
    { path: 'a/y', change: 'added' },
    { path: 'b', change: 'added' },
  ]);
});

test('the baseline moves on for a scope, and stays for the rest', async (t) => {
  const project = await withBaseline(t);
  for (const name of ['a/x', 'b/x']) project.put(name, '1');
  await project.write((vault) => advanceBaseline(vault, ['a/**']));
  assert.deepEqual(await changes(project), [{ path: 'b/x', change: 'added' }]);
  rmSync(join(project.root, 'a/x'));
  await project.write((vault) => putBack(vault, [path('a/x')], 'stray'));
  assert.equal(readFileSync(join(project.root, 'a/x'), 'utf8'), '1');
});

test('a ledger that grew is no change, one that was rewritten is', async (t) => {
  const project = await withBaseline(t, ({ put }) => put('timeline.ndjson', '1\n'));
  const ledger = join(project.root, 'timeline.ndjson');
  appendFileSync(ledger, '2\n');
  assert.deepEqual(await changes(project), []);
  project.put('timeline.ndjson', '9\n');
  assert.deepEqual(await changes(project), [{ path: 'timeline.ndjson', change: 'modified' }]);
});

test('permission bits and links are told and put back', async (t) => {
  const project = await withBaseline(t, ({ put }) => {
    put('a', '1');
    put('d/x', '1');
  });
  chmodSync(join(project.root, 'a'), 0o600);
  rmSync(join(project.root, 'd'), { recursive: true });
  symlinkSync('/etc', join(project.root, 'd'));
  assert.deepEqual(await changes(project), [
    { path: 'a', change: 'mode' },
    { path: 'd', change: 'added' },
    { path: 'd/x', change: 'deleted' },
  ]);
  await back(project);
  assert.deepEqual(await changes(project), []);
});

test('a second take keeps the first, and without one nothing can be judged', async (t) => {
  const project = await withBaseline(t);
  project.put('a', '1');
  await project.write(takeBaseline);
  assert.equal((await changes(project)).length, 1);
  await project.write(async (vault) => dropBaseline(vault));
  await assert.rejects(changes(project), { code: 'bad_state' });
});
