import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TreeFolder } from '../../server/domain/file-tree.ts';
import { planRestore, type RestorePlan, type SeenFolder } from '../../server/domain/restore-plan.ts';
import { type FlatTree, flatTree, treeOf } from '../support/model-tree.ts';

/** As if it had been found on a disk. */
function seen(folder: TreeFolder, left: SeenFolder['left'] = []): SeenFolder {
  const stamp = { size: 1, mtime: 1, ctime: 1, ino: 1 };
  const entries = folder.entries.map((entry) => (entry.kind === 'folder' ? seen(entry) : { ...entry, ...stamp }));
  return { ...folder, entries, left };
}

/** What the files would be after a plan. */
function after(now: FlatTree, target: FlatTree, plan: RestorePlan): FlatTree {
  const files = new Map(now);
  for (const { path, kind } of plan.files) {
    if (kind === 'delete') files.delete(path);
    else files.set(path, target.get(path) ?? '');
  }
  return files;
}

const sorted = (tree: FlatTree): [string, string][] => [...tree].sort();

test('a plan leads from any tree to any other, and plans nothing where they are equal', () => {
  fc.assert(
    fc.property(flatTree, flatTree, fc.constantFrom('git' as const, 'exact' as const), (now, target, modes) => {
      const plan = planRestore(seen(treeOf(now)), treeOf(target), { modes });
      assert.deepEqual([plan.kept, plan.blocked], [[], []]);
      assert.deepEqual(sorted(after(now, target, plan)), sorted(target));
      assert.deepEqual(planRestore(seen(treeOf(target)), treeOf(target), { modes }).files, []);
      for (const step of plan.files) assert.equal(step.from !== undefined, step.kind !== 'add');
    }),
  );
});

test('a kept path is neither written nor deleted, and what it stands in the way of is blocked', () => {
  fc.assert(
    fc.property(flatTree, flatTree, fc.constantFrom('a', 'b', 'a/b', 'z'), (now, target, kept) => {
      const keep = (path: string): string | undefined =>
        path === kept || path.startsWith(`${kept}/`) ? 'mine' : undefined;
      const plan = planRestore(seen(treeOf(now)), treeOf(target), { modes: 'exact', keep });
      assert.ok(plan.files.every(({ path }) => keep(path) === undefined));
      assert.ok(plan.folders.every(({ path }) => keep(path) === undefined));
      const result = after(now, target, plan);
      for (const path of result.keys()) {
        const clash = [...result.keys()].some((other) => other.startsWith(`${path}/`));
        assert.ok(!clash, `${path} would be a file and a folder`);
      }
    }),
  );
});

test('a folder is made before its files and goes after them, and a file takes its name only when it is empty', () => {
  const plan = planRestore(seen(treeOf(new Map([['a/b/c', '1']]))), treeOf(new Map([['a', '1']])), { modes: 'git' });
  assert.deepEqual(
    plan.files.map(({ kind, path }) => [kind, path]),
    [
      ['delete', 'a/b/c'],
      ['add', 'a'],
    ],
  );
  assert.deepEqual(plan.folders, [
    { kind: 'remove', path: 'a' },
    { kind: 'remove', path: 'a/b' },
  ]);
});

test('what is left out is kept or blocks, by its reason', () => {
  const target = treeOf(
    new Map([
      ['x', '1'],
      ['y', '1'],
      ['z', '1'],
    ]),
  );
  const left = [
    { name: 'x', reason: 'ignored' as const },
    { name: 'y', reason: 'special_file' as const },
    { name: 'z', reason: 'vanished' as const },
  ];
  const plan = planRestore(seen(treeOf(new Map()), left), target, { modes: 'exact' });
  assert.deepEqual(plan.kept, [{ path: 'x', reason: 'ignored' }]);
  assert.deepEqual(plan.blocked, [{ path: 'y', reason: 'special_file' }]);
  assert.deepEqual(
    plan.files.map(({ path }) => path),
    ['z'],
  );
});

test('in git’s terms the exec bit follows the read bits, and other bits stay', () => {
  const found = seen(treeOf(new Map([['f', '1']])));
  const entries = found.entries.map((entry) => ({ ...entry, mode: 0o640 }) as (typeof found.entries)[number]);
  const plan = planRestore({ ...found, entries }, treeOf(new Map([['f', '+1']])), { modes: 'git' });
  assert.deepEqual(
    plan.files.map(({ kind, to }) => [kind, to?.mode]),
    [['mode', 0o750]],
  );
});
