import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { status } from '../../server/vault/status.ts';
import { type ProjectVault, projectVault } from '../support/project-vault.ts';

const look = (project: ProjectVault) => project.write((vault) => status(vault));

test('a project as main has it is clean, and each kind of change is told', async (t) => {
  const project = await projectVault(t);
  project.put('prd/a.md', 'a');
  project.put('prd/b.md', 'b');
  await project.commit();
  assert.deepEqual(await look(project), { dirty: false, files: [], snapshot: (await look(project)).snapshot });
  project.put('prd/a.md', 'other');
  chmodSync(join(project.root, 'prd/b.md'), 0o755);
  project.put('x\xff', 'new');
  rmSync(join(project.root, 'project.json'), { force: true });
  const { dirty, files } = await look(project);
  assert.ok(dirty);
  assert.deepEqual(
    files.filter(({ path }) => path !== 'project.json'),
    [
      { path: 'prd/a.md', change: 'modified' },
      { path: 'prd/b.md', change: 'mode' },
      { path: 'x\xff', change: 'added' },
    ],
  );
});

test('a ledger that only grew does not count, however many lines are new; one that was changed does', async (t) => {
  const project = await projectVault(t);
  project.put('timeline.ndjson', '{"seq":1}\n{"seq":2}\n');
  await project.commit();
  const clean = await look(project);
  const ledger = join(project.root, 'timeline.ndjson');
  appendFileSync(ledger, '{"seq":3}\n');
  writeFileSync(join(project.root, 'bugs.ndjson'), '{"seq":1}\n');
  assert.deepEqual(await look(project), clean);
  appendFileSync(ledger, '{"seq":4}\n'.repeat(500));
  assert.deepEqual(await look(project), clean);
  writeFileSync(ledger, '{"seq":1}\n{"seq":9}\n{"seq":3}\n');
  assert.deepEqual((await look(project)).files, [{ path: 'timeline.ndjson', change: 'modified' }]);
  writeFileSync(ledger, '{"seq":1}\n');
  assert.ok((await look(project)).dirty);
});

test('a snapshot names one state: it changes with content and mode, and comes back with them', async (t) => {
  const project = await projectVault(t);
  project.put('a', '1');
  const first = (await look(project)).snapshot;
  project.put('a', '2');
  const second = (await look(project)).snapshot;
  chmodSync(join(project.root, 'a'), 0o755);
  const third = (await look(project)).snapshot;
  assert.equal(new Set([first, second, third]).size, 3);
  project.put('timeline.ndjson', '{"seq":1}\n');
  chmodSync(join(project.root, 'a'), 0o644);
  assert.equal((await look(project)).snapshot, second);
});
