import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parsePointId } from '../../server/domain/point.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const take = ({ workspace }: WorkspaceLab, reason = 'test') => workspace.takePoint({ reason });
const storeOf = ({ workspaces, workspace }: WorkspaceLab): string =>
  workspaces.list().find(({ id }) => id === workspace.id)?.store ?? '';

test('a point tells what it holds, what it leaves out and what git cannot hold', async () => {
  await inWorkspace(async (lab) => {
    lab.put('src/a.txt', 'a');
    lab.put('node_modules/x/index.js');
    lab.put('big.bin', 'x'.repeat(100_000));
    mkdirSync(join(lab.root, 'empty'));
    chmodSync(join(lab.root, 'src/a.txt'), 0o600);
    symlinkSync('missing', join(lab.root, 'dangling'));
    execFileSync('mkfifo', [join(lab.root, 'pipe')]);
    const point = await lab.workspace.takePoint({
      reason: 'why',
      actor: 'me',
      task_id: 't',
      run_id: 'r',
      name: 'first',
      pin: true,
    });
    const { phase, reason, actor, task_id, run_id, name, pinned, noop, complete, seq } = point;
    assert.deepEqual(
      { phase, reason, actor, task_id, run_id, name, pinned, noop, complete, seq },
      {
        phase: 'MANUAL',
        reason: 'why',
        actor: 'me',
        task_id: 't',
        run_id: 'r',
        name: 'first',
        pinned: true,
        noop: false,
        complete: true,
        seq: 1,
      },
    );
    assert.deepEqual(point.counts, { files: 2, links: 1, folders: 2, bytes: 100_001 + 7 });
    assert.deepEqual(point.left_out, [
      { path: 'node_modules', reason: 'ignored' },
      { path: 'pipe', reason: 'special_file' },
    ]);
    assert.deepEqual(point.folders, [{ path: 'empty', mode: 0o755 }]);
    assert.deepEqual(point.modes, [{ path: 'src/a.txt', mode: 0o600 }]);
    assert.deepEqual(
      point.large.map(({ path, size }) => ({ path, size })),
      [{ path: 'big.bin', size: 100_000 }],
    );
    assert.deepEqual(await lab.workspace.points(), [point]);
    assert.deepEqual(await lab.workspace.verify(), { points: 1, problems: [] });
  });
});

test('a point like the one before is told so and stores no content', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a');
    await take(lab);
    const before = rawGit(storeOf(lab), [
      '--git-dir=vcs.git',
      'cat-file',
      '--batch-all-objects',
      '--batch-check=%(objecttype)',
    ]);
    const second = await take(lab);
    const after = rawGit(storeOf(lab), [
      '--git-dir=vcs.git',
      'cat-file',
      '--batch-all-objects',
      '--batch-check=%(objecttype)',
    ]);
    assert.ok(second.noop);
    const count = (text: string, kind: string): number => text.split('\n').filter((line) => line === kind).length;
    // The commit, its own tree and the manifest are new, nothing else is.
    assert.deepEqual(
      ['blob', 'tree', 'commit'].map((kind) => count(after, kind) - count(before, kind)),
      [1, 1, 1],
    );
    lab.put('a', 'other');
    assert.equal((await take(lab)).noop, false);
  });
});

test('a change of mode only, or of an empty folder only, is no no-op', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a');
    await take(lab);
    chmodSync(join(lab.root, 'a'), 0o600);
    assert.equal((await take(lab)).noop, false);
    mkdirSync(join(lab.root, 'e'));
    assert.equal((await take(lab)).noop, false);
    rmSync(join(lab.root, 'e'), { recursive: true });
    assert.equal((await take(lab)).noop, false);
    assert.equal((await take(lab)).noop, true);
  });
});

test('an ignore file of the workspace counts, but what a point held stays in', async () => {
  await inWorkspace(async (lab) => {
    lab.put('kept.log', '1');
    await take(lab);
    lab.put('.gitignore', '*.log\n');
    lab.put('kept.log', '2');
    lab.put('new.log');
    const point = await take(lab);
    assert.deepEqual(point.left_out, [{ path: 'new.log', reason: 'ignored' }]);
    assert.equal(
      Buffer.from(
        (await lab.workspace.readFile(parsePointId(point.id), { path: bytePathFromText('kept.log'), limit: 10 })) ?? '',
      ).toString(),
      '2',
    );
  });
});

test('settings leave files out and take them in, and the rule that decides is told', async () => {
  await inWorkspace(
    async (lab) => {
      lab.put('a.tmp');
      lab.put('node_modules/x');
      lab.put('.gitignore', 'ignored\n');
      lab.put('ignored');
      const point = await take(lab);
      assert.deepEqual(point.left_out, [
        { path: 'a.tmp', reason: 'ignored' },
        { path: 'ignored', reason: 'ignored' },
      ]);
      const why = (path: string) => {
        const { included, rule } = lab.workspace.explain(bytePathFromText(path));
        return { included, rule: rule && `${rule.source}:${rule.line}:${rule.pattern}` };
      };
      assert.deepEqual(why('a.tmp'), { included: false, rule: 'the setting exclude:1:*.tmp' });
      assert.deepEqual(why('ignored'), { included: false, rule: '.gitignore:1:ignored' });
      assert.deepEqual(why('node_modules/x'), { included: true, rule: undefined });
      assert.equal(why('__pycache__/x/y').included, false);
      assert.throws(() => lab.workspace.explain(bytePathFromText('../x')), { code: 'path_refused' });
    },
    { exclude: ['*.tmp'], include: ['node_modules/'] },
  );
});

test('a build folder is left out unless the user’s own index tracks something in it', async () => {
  await inWorkspace(async (lab) => {
    rawGit(lab.root, ['init', '-q']);
    lab.put('dist/bundle.js');
    assert.deepEqual((await take(lab)).left_out, [{ path: 'dist', reason: 'ignored' }]);
    rawGit(lab.root, ['add', '-f', 'dist/bundle.js']);
    assert.deepEqual((await take(lab)).left_out, []);
  });
});

test('an unchanged large file is not copied again, and a lost copy is', async () => {
  await inWorkspace(async (lab) => {
    lab.put('big', 'x'.repeat(200_000));
    await take(lab);
    await take(lab);
    const objects = join(storeOf(lab), 'objects');
    const names = (): string[] =>
      readdirSync(objects, { recursive: true })
        .map(String)
        .filter((name) => name.length > 60);
    assert.equal(names().length, 1);
    rmSync(join(objects, names()[0] ?? ''));
    await take(lab);
    assert.equal(names().length, 1);
    truncateSync(join(objects, names()[0] ?? ''), 10);
    assert.equal((await lab.workspace.verify()).problems.length, 1);
  });
});

test('the store’s caches may be lost or damaged at any time', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a');
    const point = await take(lab);
    await lab.workspace.close();
    for (const name of ['points.ndjson', 'tree-state.bin']) writeFileSync(join(storeOf(lab), name), 'garbage');
    const again = lab.workspaces.open(lab.root);
    assert.deepEqual(await again.points(), [point]);
    assert.equal((await again.takePoint({ reason: 'x' })).noop, true);
    await again.close();
  });
});

test('a point whose folder vanishes midway is none', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a');
    await take(lab);
    rmSync(lab.root, { recursive: true });
    await assert.rejects(take(lab), { code: 'not_found' });
    assert.equal((await lab.workspace.points()).length, 1);
  });
});

test('points of two processes at once are all kept, in one order', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a');
    const other = lab.workspaces.open(lab.root);
    await Promise.all(
      [...Array(6).keys()].map((i) => (i % 2 === 0 ? lab.workspace : other).takePoint({ reason: String(i) })),
    );
    const points = await other.points();
    assert.deepEqual(
      points.map(({ seq }) => seq),
      [6, 5, 4, 3, 2, 1],
    );
    await other.close();
  });
});
