import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePointId, parseRestoreId } from '../../server/domain/point.ts';
import { contentOf, diskSnapshot } from '../support/disk-snapshot.ts';
import { inMemoryFolder } from '../support/temp-folder.ts';
import { applyEdits, type Edit, editsOf } from '../support/tree-edits.ts';
import { inWorkspace, workspaceLab } from '../support/workspace-place.ts';

/** Few, so that they collide; an accented letter in both of its forms, and bytes that are no text. */
const NAMES = ['a', 'b', 'A', 'a.b', '-x', 'n\n"', '\xe9\xff', ' ', '\xc3\xa9', 'e\xcc\x81'];
const LONG = 'long '.repeat(50);

async function roundTrip(first: readonly Edit[], second: readonly Edit[], third: readonly Edit[]): Promise<void> {
  await inMemoryFolder(async (folder) => {
    // The longest content of the edits is a large file.
    const lab = workspaceLab(folder, { largeFileBytes: LONG.length });
    const { root, workspace } = lab;
    applyEdits(root, first);
    const saved = diskSnapshot(root);
    const point = await workspace.takePoint({ reason: 'first' });
    applyEdits(root, second);
    const between = diskSnapshot(root);
    const plan = await workspace.planRestore({ point: point.id });
    assert.deepEqual(diskSnapshot(root), between);
    const report = await workspace.applyRestore(plan.id, plan.digest);
    assert.deepEqual([report.rows, report.skipped], [plan.rows, []]);
    const restored = diskSnapshot(root);
    assert.deepEqual(contentOf(restored), contentOf(saved));
    const touched = new Set(
      plan.rows.map(({ path, path_b64 }) =>
        path_b64 === undefined ? Buffer.from(path).toString('latin1') : atob(path_b64),
      ),
    );
    for (const [path, entry] of restored)
      if (entry.kind !== 'folder' && !touched.has(path)) assert.deepEqual(entry, between.get(path));
    if (report.changed > 0) {
      await workspace.undoRestore();
      assert.deepEqual(contentOf(diskSnapshot(root)), contentOf(between));
      await workspace.undoRestore();
      assert.deepEqual(contentOf(diskSnapshot(root)), contentOf(saved));
    }
    applyEdits(root, third);
    const into = join(folder, 'new');
    await workspace.restoreInto(parsePointId(point.id), into);
    assert.deepEqual(contentOf(diskSnapshot(into)), contentOf(saved));
    assert.deepEqual((await workspace.verify()).problems, []);
    await workspace.close();
  });
}

test('what a point holds comes back to the byte, and undo and redo lead back and forth', async () => {
  const edits = editsOf(NAMES);
  await fc.assert(fc.asyncProperty(edits, edits, edits, roundTrip), { numRuns: Number(process.env.RUNS ?? 150) });
});

test('a plan that the folder has left behind is refused, and says what moved', async () => {
  await inWorkspace(async ({ workspace, put, root }) => {
    put('a', '1');
    put('b', '1');
    const point = await workspace.takePoint({ reason: 'x' });
    put('a', '2');
    const plan = await workspace.planRestore({ point: point.id });
    put('b', 'mine');
    await assert.rejects(workspace.applyRestore(plan.id, plan.digest), {
      code: 'plan_stale',
      data: { id: plan.id, moved: [{ path: 'b' }] },
    });
    await assert.rejects(workspace.applyRestore(plan.id, 'other'), { code: 'plan_stale' });
    assert.equal(readFileSync(join(root, 'a'), 'utf8'), '2');
    const fresh = await workspace.planRestore({ point: point.id });
    assert.notEqual(fresh.digest, plan.digest);
    await workspace.applyRestore(fresh.id, fresh.digest);
    await assert.rejects(workspace.applyRestore(fresh.id, fresh.digest), { code: 'bad_state' });
  });
});

test('nothing differs, so nothing is written and no point is taken', async () => {
  await inWorkspace(async ({ workspace, put, root, restore }) => {
    put('a');
    const point = await workspace.takePoint({ reason: 'x' });
    const before = diskSnapshot(root);
    const report = await restore({ point: point.id });
    assert.equal(report.changed, 0);
    assert.equal(report.pre, undefined);
    assert.deepEqual(diskSnapshot(root), before);
    assert.equal((await workspace.points()).length, 1);
  });
});

test('single paths are chosen, and a folder with what is in it', async () => {
  await inWorkspace(async ({ workspace, put, files, restore }) => {
    for (const name of ['a/x', 'a/y', 'b']) put(name, '1');
    const point = await workspace.takePoint({ reason: 'x' });
    for (const name of ['a/x', 'a/y', 'b', 'a/new/z']) put(name, '2');
    await restore({ point: point.id, only: [{ path: 'a' }] });
    assert.deepEqual(files(), { a: 'folder 755 ', 'a/x': 'file 644 1', 'a/y': 'file 644 1', b: 'file 644 2' });
  });
});

test('an undo takes back what the restore changed and nothing that came after it', async () => {
  await inWorkspace(async ({ workspace, put, files, restore }) => {
    put('frontend/a', '1');
    const point = await workspace.takePoint({ reason: 'x' });
    put('frontend/a', '2');
    await restore({ point: point.id });
    put('backend/b', 'by hand');
    await workspace.undoRestore();
    assert.equal(files()['frontend/a'], 'file 644 2');
    assert.equal(files()['backend/b'], 'file 644 by hand');
    await workspace.undoRestore();
    assert.equal(files()['frontend/a'], 'file 644 1');
    assert.equal(files()['backend/b'], 'file 644 by hand');
  });
});

test('excluded files stay, whatever a point held before the rule', async () => {
  await inWorkspace(async ({ workspace, workspaces, root, put, options }) => {
    put('secret.key', 'old');
    put('a', '1');
    const point = await workspace.takePoint({ reason: 'x' });
    await workspace.close();
    const strict = (await import('../../server/workspace/index.ts'))
      .openWorkspaces({ ...options, exclude: ['*.key'] })
      .open(root);
    put('secret.key', 'new');
    put('a', '2');
    const plan = await strict.planRestore({ point: point.id });
    assert.deepEqual(plan.kept, [{ path: 'secret.key', reason: 'ignored' }]);
    await strict.applyRestore(plan.id, plan.digest);
    assert.equal(readFileSync(join(root, 'secret.key'), 'utf8'), 'new');
    await strict.close();
    assert.equal(workspaces.list().length, 1);
  });
});

test('only what some point holds is ever deleted or overwritten', async () => {
  await inWorkspace(async ({ workspace, put, root, restore }) => {
    const point = await workspace.takePoint({ reason: 'empty' });
    put('output/result.bin', 'x'.repeat(200_000));
    put('.gitignore', 'cache.db\n');
    put('cache.db', 'kept');
    const { pre } = await restore({ point: point.id });
    assert.deepEqual(readdirSync(root), ['cache.db']);
    await workspace.undoRestore();
    assert.equal(readFileSync(join(root, 'output/result.bin'), 'utf8').length, 200_000);
    assert.ok(pre);
  });
});

test('what an older point holds goes back although an ignore file names it by now, and is kept first', async () => {
  await inWorkspace(async ({ workspace, put, files, restore }) => {
    put('a.log', '1');
    const old = await workspace.takePoint({ reason: 'x' });
    rmSync(join(workspace.root, 'a.log'));
    await workspace.takePoint({ reason: 'gone' });
    put('.gitignore', '*.log\n');
    put('a.log', 'newer');
    await restore({ point: old.id });
    assert.equal(files()['a.log'], 'file 644 1');
    await workspace.undoRestore();
    assert.equal(files()['a.log'], 'file 644 newer');
  });
});

test('nothing goes through a link that took a folder’s place', async () => {
  await inWorkspace(async ({ workspace, put, root, folder, restore }) => {
    put('d/f', '1');
    const point = await workspace.takePoint({ reason: 'x' });
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'f'), 'mine');
    renameSync(join(root, 'd'), join(root, 'e'));
    symlinkSync(outside, join(root, 'd'));
    await restore({ point: point.id });
    assert.equal(readFileSync(join(root, 'd/f'), 'utf8'), '1');
    assert.equal(readFileSync(join(outside, 'f'), 'utf8'), 'mine');
    await workspace.undoRestore();
    assert.ok(existsSync(join(root, 'e/f')));
    assert.equal(readFileSync(join(outside, 'f'), 'utf8'), 'mine');
  });
});

test('unknown points and restores are not found, and a new folder must be empty', async () => {
  await inWorkspace(async ({ workspace, put, folder }) => {
    put('a');
    const point = await workspace.takePoint({ reason: 'x' });
    await assert.rejects(workspace.planRestore({ point: '20260101t000000000-000000' }), { code: 'point_not_found' });
    await assert.rejects(workspace.applyRestore(parseRestoreId('20260101t000000000-000000'), ''), {
      code: 'not_found',
    });
    await assert.rejects(workspace.undoRestore(), { code: 'nothing_to_restore' });
    mkdirSync(join(folder, 'full/x'), { recursive: true });
    await assert.rejects(workspace.restoreInto(parsePointId(point.id), join(folder, 'full')), { code: 'conflict' });
  });
});
