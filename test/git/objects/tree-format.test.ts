import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { parseOid } from '../../../server/domain/ids.ts';
import { EMPTY_TREE, hashObject } from '../../../server/git/objects/object-id.ts';
import { encodeTree, parseTree, type TreeItem, treeSortKey } from '../../../server/git/objects/tree-format.ts';
import { rawGit, rawRepository } from '../../support/raw-git.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const oid = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => parseOid(Buffer.from(bytes).toString('hex')));
const name = fc
  .uint8Array({ minLength: 1, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll(/[\0/]/g, '_'))
  .filter((text) => !/^(\.|\.\.|\.git)$/i.test(text));
const items: fc.Arbitrary<TreeItem[]> = fc.uniqueArray(
  fc.record(
    { name, mode: fc.constantFrom('100644', '100755', '120000', '40000', '160000'), oid },
    { noNullPrototype: true },
  ),
  { selector: (item) => item.name, maxLength: 30 },
);

test('a tree that was encoded parses to the same items, in order', () => {
  fc.assert(
    fc.property(items, (tree) => {
      const sorted = tree.toSorted((a, b) => (treeSortKey(a) < treeSortKey(b) ? -1 : 1));
      assert.deepEqual(parseTree(encodeTree(tree)), sorted);
    }),
  );
});

test('trees are byte for byte what mktree makes, whatever the names', (t) => {
  const folder = scratchFolder(t);
  rawRepository(folder);
  fc.assert(
    fc.property(items, (tree) => {
      const kinds = { '40000': 'tree', '160000': 'commit' } as Record<string, string>;
      const lines = tree.map(
        (item) => `${item.mode.padStart(6, '0')} ${kinds[item.mode] ?? 'blob'} ${item.oid}\t${item.name}\0`,
      );
      const made = rawGit(folder, Buffer.from(lines.join(''), 'latin1'))('mktree', '-z', '--missing');
      assert.equal(hashObject('tree', encodeTree(tree)), made);
    }),
    { numRuns: 40 },
  );
});

test('the tree without entries is the one that git knows', () => {
  assert.equal(hashObject('tree', encodeTree([])), EMPTY_TREE);
});

test('names that a tree cannot hold, or holds already, are refused', () => {
  const item = (name: string): TreeItem => ({ name, mode: '100644', oid: EMPTY_TREE });
  for (const bad of ['', '.', '..', '.git', '.GIT', 'a/b', 'a\0b']) {
    assert.throws(
      () => encodeTree([item(bad)]),
      (error) => isDevLoopError(error, 'path_refused'),
      JSON.stringify(bad),
    );
  }
  assert.throws(
    () => encodeTree([item('a'), { ...item('a'), mode: '40000' }]),
    (error) => isDevLoopError(error, 'path_refused'),
  );
});

test('a tree object that was cut or scribbled on is said to be damaged', () => {
  const whole = encodeTree([{ name: 'file', mode: '100644', oid: EMPTY_TREE }]);
  for (const bad of [
    whole.subarray(0, -1),
    whole.subarray(1),
    Buffer.from('no tree'),
    Buffer.concat([whole, Buffer.from([1])]),
  ]) {
    assert.throws(
      () => parseTree(bad),
      (error) => isDevLoopError(error, 'vault_damaged'),
    );
  }
});

test('modes that old writers left are read as what they mean', () => {
  const raw = Buffer.concat([
    Buffer.from('040000 d\0', 'latin1'),
    Buffer.from(EMPTY_TREE, 'hex'),
    Buffer.from('100664 f\0', 'latin1'),
    Buffer.from(EMPTY_TREE, 'hex'),
  ]);
  assert.deepEqual(
    parseTree(raw).map((item) => item.mode),
    ['40000', '100644'],
  );
});
