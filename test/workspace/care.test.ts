import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parsePointId } from '../../server/domain/point.ts';
import { openWorkspaces } from '../../server/workspace/index.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const storeOf = ({ workspaces }: WorkspaceLab): string => workspaces.list()[0]?.store ?? '';

test('a path is purged from all points, content and all, and the rest stays', async () => {
  await inWorkspace(async (lab) => {
    const { workspace, put, root, restore } = lab;
    put('keys/leaked', 'TOP-SECRET-CONTENT');
    put('keys/big', 'y'.repeat(200_000));
    put('a', '1');
    const first = await workspace.takePoint({ reason: '1' });
    put('a', '2');
    await workspace.takePoint({ reason: '2' });
    const secret = rawGit(root, ['hash-object', 'keys/leaked']).trim();
    const { points } = await workspace.purge(bytePathFromText('keys'));
    assert.equal(points.length, 2);
    const objects = rawGit(storeOf(lab), ['--git-dir=vcs.git', 'cat-file', '--batch-all-objects', '--batch-check']);
    assert.ok(!objects.includes(secret));
    assert.deepEqual((await workspace.verify()).problems, []);
    const [, again] = await workspace.points();
    assert.deepEqual([again?.purged, again?.large, again?.counts.files], [[{ path: 'keys' }], [], 1]);
    rmSync(join(root, 'keys'), { recursive: true });
    await restore({ point: first.id });
    assert.deepEqual(lab.files(), { a: 'file 644 1' });
    assert.deepEqual(await workspace.purge(bytePathFromText('nowhere')), { points: [] });
  });
});

test('what is remembered of points does not name what was purged', async () => {
  await inWorkspace(async (lab) => {
    const { workspace, put, root } = lab;
    const remembered = (): string => readFileSync(join(storeOf(lab), 'points.ndjson'), 'utf8');
    put('a', '1');
    mkdirSync(join(root, 'keys/empty'), { recursive: true });
    await workspace.takePoint({ reason: '1' });
    assert.ok(remembered().includes('keys/empty'));
    await workspace.purge(bytePathFromText('keys'));
    assert.ok(!remembered().includes('keys/empty'));
  });
});

test('a point without a path counts the bytes of the rest', async () => {
  await inWorkspace(async ({ workspace, put, root }) => {
    put('keys/small', '12345');
    put('keys/deep/big', 'y'.repeat(200_000));
    symlinkSync('elsewhere', join(root, 'keys/link'));
    put('kept', '1234567');
    assert.equal((await workspace.takePoint({ reason: '1' })).counts.bytes, 5 + 200_000 + 9 + 7);
    await workspace.purge(bytePathFromText('keys/deep/big'));
    assert.equal((await workspace.points())[0]?.counts.bytes, 5 + 9 + 7);
    await workspace.purge(bytePathFromText('keys'));
    assert.equal((await workspace.points())[0]?.counts.bytes, 7);
  });
});

test('the status tells what is protected, what is not and why', async () => {
  await inWorkspace(async ({ workspace, put, root }) => {
    rawGit(root, ['init', '-q', '-b', 'trunk']);
    rawGit(root, ['remote', 'add', 'origin', 'https://user:token@Example.org:443/a.git']);
    put('a');
    put('node_modules/x');
    const before = await workspace.status();
    assert.deepEqual([before.points, before.last], [0, undefined]);
    await workspace.takePoint({ reason: 'x' });
    const { points, last, not_protected, nested, bytes } = await workspace.status();
    assert.deepEqual([points, last?.phase, last?.complete], [1, 'MANUAL', true]);
    assert.deepEqual(not_protected, [{ path: 'node_modules', reason: 'ignored' }]);
    assert.deepEqual(nested, [
      {
        path: '',
        kind: 'repo',
        branch: 'trunk',
        dirty: false,
        has_untracked_files: true,
        remote_host: 'example.org',
        git_history_saved: false,
      },
    ]);
    assert.ok(bytes > 0);
  });
});

test('damage to the store is found, point by point', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a');
    const point = await lab.workspace.takePoint({ reason: 'x' });
    rawGit(storeOf(lab), ['--git-dir=vcs.git', 'repack', '-adq']);
    rawGit(storeOf(lab), ['--git-dir=vcs.git', 'update-ref', 'refs/points/20260101t000000000-000000', point.commit]);
    const { points, problems } = await lab.workspace.verify();
    assert.equal(points, 2);
    assert.deepEqual(problems, [`refs/points/20260101t000000000-000000 holds the point ${point.id}`]);
  });
});

test('folders that cannot be workspaces are refused, by identity and not by name', async () => {
  await inWorkspace(async ({ workspaces, folder, options }) => {
    symlinkSync(options.home, join(folder, 'alias'));
    mkdirSync(join(options.stateDir, 'inside'));
    for (const path of ['/', '/usr', options.home, join(folder, 'alias'), folder, join(options.stateDir, 'inside')]) {
      assert.throws(() => workspaces.open(path), { code: 'workspace_refused' }, path);
    }
    assert.throws(() => workspaces.open(join(folder, 'nowhere')), { code: 'workspace_not_found' });
    const inner = join(folder, 'user/mine/state');
    assert.throws(() => openWorkspaces({ ...options, stateDir: inner }).open(join(folder, 'user/mine')), {
      code: 'workspace_refused',
    });
    assert.ok(!existsSync(inner));
  });
});

test('a folder that moved does not find its history, until it is attached', async () => {
  await inWorkspace(async ({ workspaces, workspace, put, root, folder }) => {
    put('a', '1');
    const point = await workspace.takePoint({ reason: 'x' });
    const moved = join(folder, 'user/moved');
    renameSync(root, moved);
    const fresh = workspaces.open(moved);
    assert.deepEqual(await fresh.points(), []);
    assert.throws(() => workspaces.attach(workspace.id, moved), { code: 'conflict' });
    await workspaces.remove(fresh.id);
    const attached = workspaces.attach(workspace.id, moved);
    assert.deepEqual(
      (await attached.points()).map(({ id }) => id),
      [point.id],
    );
    writeFileSync(join(moved, 'a'), '2');
    const plan = await attached.planRestore({ point: point.id });
    assert.equal((await attached.applyRestore(plan.id, plan.digest)).changed, 1);
    assert.deepEqual(
      workspaces.list().map(({ root: at }) => at),
      [moved],
    );
  });
});

test('who undoes in a folder that was moved is told how it gets its history back', async () => {
  await inWorkspace(async ({ workspaces, workspace, root, folder }) => {
    await workspace.runTurn({}, async () => {});
    await assert.rejects(workspace.undoRestore(), { code: 'nothing_to_restore', hint: undefined });
    const moved = join(folder, 'user/moved');
    renameSync(root, moved);
    const fresh = workspaces.open(moved);
    const asked = [fresh.planPreTurn(0), fresh.undoRestore()];
    for (const error of await Promise.allSettled(asked)) {
      assert.ok(error.status === 'rejected');
      assert.match(error.reason.hint, new RegExp(`Gone is ${root} .*devloop protect attach ${workspace.id}`));
    }
    mkdirSync(root);
  });
});

test('a history outlives its folder and can be written to a new one', async () => {
  await inWorkspace(async ({ workspaces, workspace, put, root, folder }) => {
    put('a', '1');
    await workspace.takePoint({ reason: 'x' });
    rmSync(root, { recursive: true });
    const known = workspaces.find(workspace.id);
    const [point] = await known.points();
    assert.ok(point);
    await known.restoreInto(parsePointId(point.id), join(folder, 'back'));
    assert.ok(existsSync(join(folder, 'back/a')));
    await known.close();
    mkdirSync(root);
  });
});

test('files changed, renamed, added and deleted between two sides are told, with their contents at hand', async () => {
  await inWorkspace(async ({ workspace, put, root }) => {
    for (const name of ['same', 'edit', 'move', 'drop']) put(name, `content of ${name}`);
    const { id } = await workspace.takePoint({ reason: 'x' });
    put('edit', 'other');
    renameSync(join(root, 'move'), join(root, 'moved'));
    rmSync(join(root, 'drop'));
    put('new');
    const point = parsePointId(id);
    assert.deepEqual(await workspace.changes(point, 'now'), [
      { path: 'drop', change: 'deleted' },
      { path: 'edit', change: 'modified' },
      { path: 'moved', change: 'renamed', renamed_from: { path: 'move' } },
      { path: 'new', change: 'added' },
    ]);
    const at = { path: bytePathFromText('edit'), limit: 100 };
    assert.equal(Buffer.from((await workspace.readFile(point, at)) ?? '').toString(), 'content of edit');
    assert.equal(Buffer.from((await workspace.readFile('now', at)) ?? '').toString(), 'other');
    assert.equal(await workspace.readFile(point, { path: bytePathFromText('nowhere'), limit: 1 }), undefined);
    await assert.rejects(workspace.readFile(point, { ...at, limit: 3 }), { code: 'body_too_large' });
  });
});
