import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BytePath, bytePathFromLatin1, parentPath } from '../../server/domain/byte-path.ts';
import type { TreeFolder } from '../../server/domain/file-tree.ts';
import { planRestore, type RestorePlan, type SeenFolder } from '../../server/domain/restore-plan.ts';
import { prepareSteps } from '../../server/tree/prepare-steps.ts';
import { needsContent, orderSteps, type Staged, type Step } from '../../server/tree/restore-steps.ts';
import { type FlatTree, flatTree, treeOf } from '../support/model-tree.ts';
import { inTempFolder } from '../support/temp-folder.ts';

function seen(folder: TreeFolder): SeenFolder {
  const stamp = { size: 1, mtime: 1, ctime: 1, ino: 1 };
  const entries = folder.entries.map((entry) => (entry.kind === 'folder' ? seen(entry) : { ...entry, ...stamp }));
  return { ...folder, entries, left: [] };
}

function stagedFor(plan: RestorePlan): Map<BytePath, Staged> {
  return new Map(
    plan.files.filter(needsContent).map(({ path }, i) => [path, { folder: 0, name: String(i), ino: i + 1 }]),
  );
}

const planOf = (now: FlatTree, target: FlatTree): RestorePlan =>
  planRestore(seen(treeOf(now)), treeOf(target), { modes: 'exact' });

/** A disk that refuses what a real one refuses. */
class ModelDisk {
  readonly files: Set<string>;
  readonly folders = new Set<string>(['']);
  readonly #key: (path: string) => string;

  constructor(tree: FlatTree, key: (path: string) => string) {
    this.#key = key;
    this.files = new Set([...tree.keys()].map(key));
    for (const path of tree.keys())
      for (let at = parentPath(bytePathFromLatin1(path)); at !== ''; at = parentPath(at)) this.folders.add(key(at));
  }

  do(step: Step): void {
    const path = this.#key(step.path);
    if (step.do === 'delete') assert.ok(this.files.delete(path), `nothing to delete at ${path}`);
    else if (step.do === 'remove_folder') {
      assert.ok(
        ![...this.files, ...this.folders].some((other) => other.startsWith(`${path}/`)),
        `${path} is not empty`,
      );
      this.folders.delete(path);
    } else if (step.do === 'make_folder') {
      assert.ok(!this.files.has(path), `a file is where ${path} shall be`);
      assert.ok(this.folders.has(this.#key(parentPath(step.path))), `${path} has no folder above`);
      this.folders.add(path);
    } else if (step.do === 'place') {
      assert.ok(!this.folders.has(path), `a folder is where ${path} shall be`);
      assert.ok(this.folders.has(this.#key(parentPath(step.path))), `${path} has no folder`);
      this.files.add(path);
    }
  }
}

test('every step finds the disk as it needs it, whatever takes whose place', () => {
  fc.assert(
    fc.property(flatTree, flatTree, (now, target) => {
      const plan = planOf(now, target);
      const disk = new ModelDisk(now, (path) => path);
      for (const step of orderSteps(plan, stagedFor(plan), new Map())) disk.do(step);
      assert.deepEqual([...disk.files].sort(), [...target.keys()].sort());
    }),
    { numRuns: 500 },
  );
});

test('a change of case only arrives where case tells no names apart', () => {
  const disk = new ModelDisk(new Map([['A/x', '1']]), (path) => path.toLowerCase());
  const plan = planOf(new Map([['A/x', '1']]), new Map([['A/X', '1']]));
  for (const step of orderSteps(plan, stagedFor(plan), new Map())) disk.do(step);
  assert.deepEqual([...disk.files], ['a/x']);
});

test('names that differ in case only are refused before anything is written where the file system cannot hold both', () =>
  inTempFolder((root) => {
    const plan = planOf(
      new Map(),
      new Map([
        ['a', '1'],
        ['A', '1'],
      ]),
    );
    const stages = [bytePathFromLatin1('.devloop-restore-x')];
    const places = plan.files.filter(({ kind }) => kind === 'add').length;
    assert.equal(
      prepareSteps(root, plan, stagedFor(plan), stages).filter((step) => step.do === 'place').length,
      places,
    );
    // A file system that is blind to case finds the stage under this name too.
    mkdirSync(join(root, '.DEVLOOP-RESTORE-X'));
    assert.throws(() => prepareSteps(root, plan, stagedFor(plan), stages), {
      code: 'conflict',
      data: { paths: [{ path: 'A' }, { path: 'a' }] },
    });
  }));

test('a folder that its owner may not write to is opened first and shut last', () => {
  const plan = planOf(new Map([['d/f', '1']]), new Map([['d/f', '2']]));
  const steps = orderSteps(plan, stagedFor(plan), new Map([[bytePathFromLatin1('d'), 0o555]]));
  assert.deepEqual(steps.at(0), { do: 'open_folder', path: 'd' });
  assert.deepEqual(steps.at(-1), { do: 'folder_mode', path: 'd', mode: 0o555 });
});
