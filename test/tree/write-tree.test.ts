import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { EMPTY_FOLDER, EMPTY_TREE, type TreeFolder } from '../../server/domain/file-tree.ts';
import { parseOid } from '../../server/domain/ids.ts';
import { inScope, type WriteScope } from '../../server/domain/write-scope.ts';
import { openObjectStore } from '../../server/git/objects/object-store.ts';
import { openObjectWriter } from '../../server/git/objects/object-writer.ts';
import { parseTree } from '../../server/git/objects/tree-format.ts';
import { openWorkingTree, type TreeRules, type WorkingTree, type Written } from '../../server/tree/index.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { applyEdits, type Edit, editsOf } from '../support/tree-edits.ts';

interface Bench {
  readonly root: string;
  readonly gitDir: string;
  readonly tree: WorkingTree;
}

function bench(folder: string, rules: Partial<TreeRules> = {}): Bench {
  const [root, gitDir] = [join(folder, 'root'), join(folder, 'git')];
  mkdirSync(root);
  rawGit(folder, ['init', '-q', '--bare', gitDir]);
  const all = { ignoreFiles: true, lists: [], key: 't', ...rules };
  return { root, gitDir, tree: openWorkingTree({ root, stateFile: join(folder, 'state.bin'), rules: all }) };
}

async function write({ gitDir, tree }: Bench, base: TreeFolder = EMPTY_FOLDER, scope?: WriteScope): Promise<Written> {
  const store = openObjectStore(join(gitDir, 'objects'));
  const writer = openObjectWriter(store, { durable: false });
  const sink = { has: (oid: ReturnType<typeof parseOid>) => store.has(oid), put: writer.write.bind(writer) };
  const written = await tree.write({ base, sink, ...(scope && { scope }) });
  await writer.finish();
  return written;
}

/** What git reads back: path to mode and id. */
function files(gitDir: string, oid: string | undefined): Map<string, string> {
  if (oid === EMPTY_TREE) return new Map();
  const lines = rawGit(gitDir, ['ls-tree', '-r', '-z', oid ?? ''])
    .split('\0')
    .slice(0, -1);
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
}

const SCOPES: readonly WriteScope[] = [
  ['**'],
  ['a/**'],
  ['a/*/**'],
  ['a'],
  ['a', 'a/**', 'b/ab'],
  ['*/a', 'a.b/**'],
  ['ab/b/**', '*'],
];

async function overlay(before: readonly Edit[], after: readonly Edit[], scope: WriteScope): Promise<void> {
  await inTempFolder(async (folder) => {
    const place = bench(folder);
    applyEdits(place.root, before);
    const base = (await write(place)).tree;
    applyEdits(place.root, after);
    const { tree } = await write(place, base, scope);
    const now = (await write(place)).tree;
    const held = (path: string): boolean => inScope(bytePathFromLatin1(path), scope);
    const [old, disk] = [files(place.gitDir, base.oid), files(place.gitDir, now.oid)];
    const expected = new Map([...disk].filter(([path]) => held(path)));
    const clash = (path: string): boolean =>
      [...expected.keys()].some((taken) => taken.startsWith(`${path}/`) || path.startsWith(`${taken}/`));
    for (const [path, entry] of old) if (!held(path) && !clash(path)) expected.set(path, entry);
    assert.deepEqual([...files(place.gitDir, tree.oid)].sort(), [...expected].sort());
    rawGit(place.gitDir, ['fsck', '--strict']);
  });
}

test('a tree is the disk inside of the scope and the base outside of it, and git finds no fault with it', async () => {
  const edits = editsOf(['a', 'b', 'ab', 'a.b', '\xff']);
  await fc.assert(fc.asyncProperty(edits, edits, fc.constantFrom(...SCOPES), overlay), {
    numRuns: Number(process.env.RUNS ?? 60),
  });
});

test('nothing changed gives the very tree that was the base', async () => {
  await inTempFolder(async (folder) => {
    const place = bench(folder);
    applyEdits(place.root, [{ kind: 'write', path: 'a/b/c', content: 'x', sameTime: false }]);
    const { tree } = await write(place);
    assert.equal((await write(place, tree)).tree.oid, tree.oid);
    assert.equal((await write(place, tree, ['z/**'])).tree, tree);
  });
});

test('a file that could not be taken stays as the base has it', async () => {
  await inTempFolder(async (folder) => {
    const place = bench(folder, { maxFileBytes: 5 });
    mkdirSync(join(place.root, 'd'));
    writeFileSync(join(place.root, 'd/f'), 'small');
    const base = (await write(place)).tree;
    writeFileSync(join(place.root, 'd/f'), 'too large');
    writeFileSync(join(place.root, 'd/g'), 'new');
    const { tree, leftOut } = await write(place, base);
    assert.deepEqual(leftOut, [{ path: 'd/f', reason: 'too_large' }]);
    const now = files(place.gitDir, tree.oid);
    assert.equal(now.get('d/f'), files(place.gitDir, base.oid).get('d/f'));
    assert.ok(now.has('d/g'));
  });
});

test('what was hashed before is still put where the store lacks it', async () => {
  await inTempFolder(async (folder) => {
    const place = bench(folder);
    writeFileSync(join(place.root, 'f'), 'x');
    symlinkSync('f', join(place.root, 'l'));
    await place.tree.look();
    const { tree } = await write(place);
    assert.deepEqual([...files(place.gitDir, tree.oid).keys()], ['f', 'l']);
    rawGit(place.gitDir, ['fsck', '--strict']);
  });
});

test('a tree read back from the repository equals what was written', async () => {
  await inTempFolder(async (folder) => {
    const place = bench(folder);
    applyEdits(
      place.root,
      ['a/b', 'a.b', 'a-b/c'].map((path) => ({ kind: 'write' as const, path, content: path, sameTime: false })),
    );
    const { tree } = await write(place);
    place.tree.forget();
    const loaded = await place.tree.committed(parseOid(tree.oid), async (oid) =>
      parseTree(Buffer.from(rawGit(place.gitDir, ['cat-file', 'tree', oid]), 'latin1')),
    );
    assert.deepEqual((await write(place, loaded)).tree.oid, tree.oid);
    assert.deepEqual(
      loaded.entries.map(({ name }) => name),
      ['a', 'a-b', 'a.b'],
    );
  });
});
