import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { entryAt } from '../../server/domain/file-tree.ts';
import { paired, treeDifference } from '../../server/domain/tree-difference.ts';
import { type FlatTree, flatTree, treeOf } from '../support/model-tree.ts';

const body = (text: string): string => text.replace(/^[@+]/, '');

/** What differs, said path by path. */
function expected(from: FlatTree, to: FlatTree): Map<string, string> {
  const changes = new Map<string, string>();
  for (const path of new Set([...from.keys(), ...to.keys()])) {
    const [a, b] = [from.get(path), to.get(path)];
    if (a === b) continue;
    if (a === undefined) changes.set(path, 'added');
    else if (b === undefined) changes.set(path, 'deleted');
    else if (a.startsWith('@') !== b.startsWith('@')) changes.set(path, 'type');
    else changes.set(path, body(a) === body(b) ? 'mode' : 'modified');
  }
  return changes;
}

test('two trees differ in just the paths whose kind, content or mode differ', () => {
  fc.assert(
    fc.property(flatTree, flatTree, fc.constantFrom('git' as const, 'exact' as const), (from, to, modes) => {
      const changes = treeDifference(treeOf(from), treeOf(to), modes);
      assert.deepEqual(
        new Map(changes.map(({ path, change }) => [path as string, change as string])),
        expected(from, to),
      );
      for (const { path, from: before, to: after } of changes) {
        assert.equal(before, from.has(path) ? entryAt(treeOf(from), path) && before : undefined);
        assert.equal(after?.name, to.has(path) ? path.split('/').at(-1) : undefined);
      }
    }),
  );
});

test('folders of one object id are not looked into where only git’s modes count', () => {
  const [a, b] = [treeOf(new Map([['d/f', '1']])), treeOf(new Map([['d/f', '2']]))];
  const same = '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as never;
  assert.deepEqual(treeDifference({ ...a, oid: same }, { ...b, oid: same }), []);
  assert.equal(treeDifference({ ...a, oid: same }, { ...b, oid: same }, 'exact').length, 1);
});

test('two sorted lists are walked side by side, each name once', () => {
  const names = fc
    .uniqueArray(fc.constantFrom(...'abcdef'), { maxLength: 6 })
    .map((all) => all.sort().map((name) => ({ name })));
  fc.assert(
    fc.property(names, names, (left, right) => {
      const pairs = [...paired(left, right)];
      const all = [...new Set([...left, ...right].map(({ name }) => name))].sort();
      assert.deepEqual(
        pairs.map(([a, b]) => (a ?? b)?.name),
        all,
      );
      for (const [a, b] of pairs) if (a && b) assert.equal(a.name, b.name);
    }),
  );
});
