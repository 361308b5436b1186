// Faults that people met with snapshots of folders, each as the smallest input with its right outcome. 29, 31, 43, 73 and
// 81 are in platform-cases.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { openWorkspaces } from '../../server/workspace/index.ts';
import { diskSnapshot } from '../support/disk-snapshot.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const commitAll = (folder: string): void => {
  rawGit(folder, ['add', '-A']);
  rawGit(folder, ['commit', '-qm', 'x']);
};
const point = ({ workspace }: WorkspaceLab) => workspace.takePoint({ reason: 'case' });
const read = (lab: WorkspaceLab, name: string): string => readFileSync(join(lab.root, name), 'utf8');

/** What is below every `.git`, byte for byte. */
function gitBytes(root: string): string {
  return execFileSync(
    'sh',
    [
      '-c',
      'find . -path "*/.git*" -type f -exec sha1sum {} + | sort; find . -name .git -exec stat -c "%n %F %i" {} + | sort',
    ],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
}

test('1, 3: a nested and the root repository are never moved or written', () =>
  inWorkspace(async (lab) => {
    rawGit(lab.root, ['init', '-q']);
    for (const name of ['sub', 'node_modules/x']) {
      mkdirSync(join(lab.root, name), { recursive: true });
      rawGit(join(lab.root, name), ['init', '-q']);
    }
    lab.put('sub/f', '1');
    const before = gitBytes(lab.root);
    const saved = await point(lab);
    lab.put('sub/f', '2');
    await lab.restore({ point: saved.id });
    await lab.workspace.undoRestore();
    assert.equal(gitBytes(lab.root), before);
    assert.deepEqual(saved.left_out, [{ path: 'node_modules', reason: 'ignored' }]);
  }));

test('5: a workspace inside of another is independent of it', () =>
  inWorkspace(async (lab) => {
    lab.put('child/f', '1');
    const child = lab.workspaces.open(join(lab.root, 'child'));
    const inner = await child.takePoint({ reason: 'x' });
    const outer = await point(lab);
    lab.put('child/f', '2');
    lab.put('g', '2');
    const plan = await child.planRestore({ point: inner.id });
    await child.applyRestore(plan.id, plan.digest);
    assert.deepEqual([read(lab, 'child/f'), read(lab, 'g')], ['1', '2']);
    assert.deepEqual(
      (await lab.restore({ point: outer.id })).rows.map(({ path }) => path),
      ['g'],
    );
    await child.close();
  }));

test('7, 9: a repository that was made or cloned midway is saved as files, and a restore removes only what was saved', () =>
  inWorkspace(async (lab) => {
    lab.put('f', 'v1');
    const first = await point(lab);
    lab.put('f', 'v2');
    mkdirSync(join(lab.root, 'n'));
    rawGit(join(lab.root, 'n'), ['init', '-q', '-b', 'main']);
    lab.put('n/inner', 'x');
    const second = await point(lab);
    assert.deepEqual(
      second.nested.map(({ path, kind }) => [path, kind]),
      [['n', 'repo']],
    );
    await lab.restore({ point: first.id });
    assert.equal(read(lab, 'f'), 'v1');
    assert.ok(existsSync(join(lab.root, 'n/.git/HEAD')) && !existsSync(join(lab.root, 'n/inner')));
    await lab.restore({ point: second.id });
    assert.deepEqual([read(lab, 'f'), read(lab, 'n/inner')], ['v2', 'x']);
  }));

test('11, 13, 15: submodules and worktrees are plain files with a row; a clean gitlink is no change', () =>
  inWorkspace(async (lab) => {
    const library = join(lab.folder, 'library');
    mkdirSync(library);
    rawGit(library, ['init', '-q', '-b', 'main']);
    writeFileSync(join(library, 'f'), '1');
    commitAll(library);
    rawGit(lab.root, ['init', '-q', '-b', 'main']);
    rawGit(lab.root, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub']);
    commitAll(lab.root);
    rawGit(lab.root, ['worktree', 'add', '-q', join(lab.root, 'tree'), '-b', 'side']);
    const saved = await point(lab);
    const rows = saved.nested.map(({ path, kind, branch, dirty }) => [path, kind, branch, dirty]);
    assert.deepEqual(rows, [
      ['', 'repo', 'main', false],
      ['sub', 'submodule', 'main', false],
      ['tree', 'worktree', 'side', false],
    ]);
    lab.put('sub/f', '2');
    assert.deepEqual(
      (await lab.workspace.planRestore({ point: saved.id })).rows.map(({ path }) => path),
      ['sub/f'],
    );
    assert.equal((await point(lab)).nested[1]?.dirty, true);
    const other = lab.workspaces.open(join(lab.root, 'tree'));
    assert.deepEqual(await other.points(), []);
    await other.close();
  }));

test('17, 19: a turn that changed nothing is undone without a write, and redo touches no sibling', () =>
  inWorkspace(async (lab) => {
    lab.put('frontend/f', '1');
    lab.put('backend/b', 'old');
    await lab.workspace.runTurn({}, async () => {});
    const before = diskSnapshot(lab.root);
    const plan = await lab.workspace.planPreTurn(0);
    assert.equal((await lab.workspace.applyRestore(plan.id, plan.digest)).changed, 0);
    assert.deepEqual(diskSnapshot(lab.root), before);
  }));

test('23: an unborn branch is nothing special', () =>
  inWorkspace(async (lab) => {
    rawGit(lab.root, ['init', '-q', '-b', 'main']);
    lab.put('f');
    const saved = await point(lab);
    assert.deepEqual(
      saved.nested.map(({ branch, head }) => [branch, head]),
      [['main', undefined]],
    );
  }));

test('33, 35: a dead owner’s lock is taken over, and a damaged cache is rebuilt', () =>
  inWorkspace(async (lab) => {
    lab.put('f');
    await point(lab);
    const store = lab.workspaces.list()[0]?.store ?? '';
    const dead = { pid: 999_999, start_time: '1', host: 'x', space: 'x', since: '2026-01-01T00:00:00Z' };
    writeFileSync(join(store, 'lock'), JSON.stringify(dead));
    utimesSync(join(store, 'lock'), 1, 1);
    writeFileSync(join(store, 'tree-state.bin'), '');
    assert.equal((await point(lab)).noop, true);
  }));

test('39, 45, 51, 77: what a script made or deleted by shell comes back or goes, if a point knew it', () =>
  inWorkspace(async (lab) => {
    lab.put('f', '1');
    const empty = await point(lab);
    lab.put('output/big', 'result');
    rmSync(join(lab.root, 'f'));
    await lab.restore({ point: empty.id });
    assert.equal(read(lab, 'f'), '1');
    assert.ok(!existsSync(join(lab.root, 'output')));
    await lab.workspace.undoRestore();
    assert.equal(read(lab, 'output/big'), 'result');
    assert.ok(!existsSync(join(lab.root, 'f')));
  }));

test('41: a point that could not read everything is never restored in place', () =>
  inWorkspace(async (lab) => {
    const deep = Array.from({ length: 15 }, () => 'd'.repeat(200)).join('/');
    for (const top of ['a', 'b']) mkdirSync(join(lab.root, top, deep), { recursive: true });
    writeFileSync(join(lab.root, 'b', deep, 'f'), 'x');
    renameSync(join(lab.root, 'b'), join(lab.root, 'a', deep, 'b'));
    const saved = await point(lab);
    assert.equal(saved.complete, false);
    await assert.rejects(lab.workspace.planRestore({ point: saved.id }), { code: 'point_incomplete' });
  }));

test('47: a restore by mistake is undone, and that is undone', () =>
  inWorkspace(async (lab) => {
    lab.put('f', '1');
    const saved = await point(lab);
    lab.put('f', '2');
    await lab.restore({ point: saved.id });
    for (const text of ['2', '1', '2', '1']) {
      await lab.workspace.undoRestore();
      assert.equal(read(lab, 'f'), text);
    }
  }));

test('49: of a thousand files only the one that changed gets a new time', () =>
  inWorkspace(async (lab) => {
    for (let i = 0; i < 1000; i++) lab.put(`d${i % 20}/f${i}`, '1');
    const saved = await point(lab);
    lab.put('d0/f0', '2');
    const before = diskSnapshot(lab.root);
    await lab.restore({ point: saved.id });
    const moved = [...diskSnapshot(lab.root)].filter(([path, { mtime }]) => before.get(path)?.mtime !== mtime);
    assert.deepEqual(
      moved.map(([path]) => path),
      ['d0/f0'],
    );
  }));

test('53, 55, 57: links are links: in place of a folder, dangling, or in place of .git', () =>
  inWorkspace(async (lab) => {
    rawGit(lab.root, ['init', '-q', '-b', 'main']);
    renameSync(join(lab.root, '.git'), join(lab.folder, 'real.git'));
    symlinkSync(join(lab.folder, 'real.git'), join(lab.root, '.git'));
    lab.put('d/f', '1');
    const first = await point(lab);
    renameSync(join(lab.root, 'd'), join(lab.root, 'e'));
    symlinkSync('e', join(lab.root, 'd'));
    symlinkSync('missing', join(lab.root, 'l'));
    const second = await point(lab);
    assert.deepEqual(second.counts, { files: 1, links: 2, folders: 1, bytes: 1 + 1 + 7 });
    assert.equal(second.nested[0]?.branch, 'main');
    await lab.restore({ point: first.id });
    assert.equal(read(lab, 'd/f'), '1');
    await lab.restore({ point: second.id });
    assert.deepEqual([readlinkSync(join(lab.root, 'd')), readlinkSync(join(lab.root, 'l'))], ['e', 'missing']);
    assert.ok(lstatSync(join(lab.root, '.git')).isSymbolicLink());
  }));

test('59: a rename by case goes back', () =>
  inWorkspace(async (lab) => {
    lab.put('A.txt', '1');
    const saved = await point(lab);
    renameSync(join(lab.root, 'A.txt'), join(lab.root, 'a.txt'));
    await lab.restore({ point: saved.id });
    assert.deepEqual(lab.files(), { 'A.txt': 'file 644 1' });
  }));

test('61, 63: modes are kept, 0600 too, and a hard link elsewhere keeps its content', () =>
  inWorkspace(async (lab) => {
    for (const [name, mode] of [
      ['run.sh', 0o755],
      ['key', 0o600],
      ['shared', 0o644],
    ] as const) {
      lab.put(name, '1');
      chmodSync(join(lab.root, name), mode);
    }
    const saved = await point(lab);
    for (const name of ['run.sh', 'key']) {
      lab.put(name, '2');
      chmodSync(join(lab.root, name), 0o644);
    }
    lab.put('shared', '2');
    linkSync(join(lab.root, 'shared'), join(lab.folder, 'other-name'));
    await lab.restore({ point: saved.id });
    assert.deepEqual(
      ['run.sh', 'key'].map((name) => statSync(join(lab.root, name)).mode & 0o777),
      [0o755, 0o600],
    );
    assert.equal(readFileSync(join(lab.folder, 'other-name'), 'utf8'), '2');
  }));

test('65, 67, 69, 71: filters, hooks, GIT_* and a missing identity have no say', () =>
  inWorkspace(async (lab) => {
    rawGit(lab.root, ['init', '-q']);
    const marker = join(lab.folder, 'ran');
    rawGit(lab.root, ['config', 'filter.lfs.clean', `touch ${marker}; false`]);
    rawGit(lab.root, ['config', 'filter.lfs.required', 'true']);
    rawGit(lab.root, ['config', 'core.hooksPath', join(lab.folder, 'hooks')]);
    rawGit(lab.root, ['config', 'core.fsmonitor', `touch ${marker}`]);
    mkdirSync(join(lab.folder, 'hooks'));
    for (const hook of ['pre-commit', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(lab.folder, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\nexit 1\n`, { mode: 0o755 });
    }
    lab.put('.gitattributes', '*.bin filter=lfs\n* text=auto eol=crlf ident\n');
    lab.put('a.bin', 'raw\r\n$Id$\n');
    const before = { ...process.env };
    Object.assign(process.env, { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_AUTHOR_NAME: '' });
    try {
      const saved = await point(lab);
      lab.put('a.bin', 'changed');
      await lab.restore({ point: saved.id });
      await lab.workspace.prune();
      assert.deepEqual((await lab.workspace.verify()).problems, []);
    } finally {
      process.env = before;
    }
    assert.equal(read(lab, 'a.bin'), 'raw\r\n$Id$\n');
    assert.ok(!existsSync(marker));
  }));

test('75: what was saved before a rule existed can be purged', () =>
  inWorkspace(async (lab) => {
    lab.put('.env', 'KEY=1');
    await point(lab);
    lab.put('.gitignore', '.env\n');
    await lab.workspace.purge(bytePathFromText('.env'));
    assert.deepEqual(
      (await lab.workspace.points()).map(({ purged }) => purged),
      [[{ path: '.env' }]],
    );
    assert.deepEqual((await point(lab)).left_out, [{ path: '.env', reason: 'ignored' }]);
  }));

test('21, 27: any folder below works as one of its own, a home folder is refused', () =>
  inWorkspace(async (lab) => {
    rawGit(lab.options.home, ['init', '-q']);
    assert.throws(() => lab.workspaces.open(lab.options.home), { code: 'workspace_refused' });
    lab.put('repo/sub/f', '1');
    const below = openWorkspaces(lab.options).open(join(lab.root, 'repo/sub'));
    assert.deepEqual((await below.takePoint({ reason: 'x' })).counts.files, 1);
    await below.close();
  }));

test('25, 37, 79: a large file goes beside the points, and a store over its size drops the oldest', () =>
  inWorkspace(async (lab) => {
    lab.workspace.changeSettings({ max_bytes: 500_000 });
    const small = lab.workspaces.open(lab.root);
    for (let i = 0; i < 5; i++) {
      lab.put('big', `${i}`.repeat(300_000));
      await small.takePoint({ reason: String(i) });
    }
    const { bytes_after, points } = await small.prune();
    assert.ok(bytes_after <= 500_000 && points.length >= 3);
    assert.equal((await small.points())[0]?.reason, '4');
    assert.deepEqual((await small.verify()).problems, []);
    await small.close();
  }));
