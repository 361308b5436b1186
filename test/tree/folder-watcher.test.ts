import assert from 'node:assert/strict';
import { linkSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BytePath } from '../../server/domain/byte-path.ts';
import { FolderWatcher } from '../../server/tree/folder-watcher.ts';
import { type DiskFolder, openWorkingTree, type TreeRules } from '../../server/tree/index.ts';
import { MOST_EVENTS } from '../../server/tree/watch-limits.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { applyEdits, type Edit, editsOf } from '../support/tree-edits.ts';

const RULES: TreeRules = { ignoreFiles: true, lists: [], key: 'test' };

/** All that a look finds but for the moment at which it was. */
function timeless({ seen: _seen, entries, ...folder }: DiskFolder): unknown {
  return {
    ...folder,
    entries: entries.map((entry) => {
      if (entry.kind === 'folder') return timeless(entry);
      const { seen: _, ...file } = entry;
      return file;
    }),
  };
}

async function sameAsFull(folder: string, rounds: readonly (readonly Edit[])[]): Promise<void> {
  const root = join(folder, 'root');
  mkdirSync(root);
  const watchFolder = join(folder, 'watch');
  const watched = openWorkingTree({ root, stateFile: join(folder, 'state.bin'), rules: RULES, watchFolder });
  try {
    let tracked = (await watched.look()).disk;
    await watched.look({ tracked });
    for (const edits of rounds) {
      applyEdits(root, edits);
      const look = await watched.look({ tracked });
      const full = await openWorkingTree({ root, stateFile: join(folder, 'none.bin'), rules: RULES }).look({ tracked });
      assert.deepEqual(timeless(look.disk), timeless(full.disk));
      assert.deepEqual([...look.leftOut].sort(byPath), [...full.leftOut].sort(byPath));
      assert.deepEqual([...look.nested].sort(), [...full.nested].sort());
      tracked = look.disk;
    }
  } finally {
    watched.close();
  }
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);

test('through any series of edits, a look by what was watched finds what a full look finds', async () => {
  const rounds = fc.array(editsOf(), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rounds, (edits) => inTempFolder((folder) => sameAsFull(folder, edits))),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
});

test('the same where ignore files and repositories come and go', async () => {
  const names = ['.gitignore', '.git', 'a', 'b', 'a.b'];
  const lines: Edit[] = ['a\n', '*.b\n', '!a\n', '/b/\n'].flatMap((content) =>
    ['.gitignore', 'a/.gitignore', 'b/a/.gitignore'].map((path) => ({ kind: 'write', path, content, sameTime: false })),
  );
  const rule = fc.array(fc.constantFrom(...lines), { maxLength: 2 });
  const round = fc.tuple(rule, editsOf(names)).map(([rules, edits]) => [...edits, ...rules]);
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), (edits) =>
      inTempFolder((folder) => sameAsFull(folder, edits)),
    ),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
});

interface WatchLab {
  readonly root: string;
  readonly watcher: FolderWatcher;
  /** A look at these folders; tells which of them had to be looked at. */
  readonly look: (...folders: readonly string[]) => Promise<readonly string[] | 'all'>;
}

function inWatched(use: (lab: WatchLab) => Promise<void>): Promise<void> {
  return inTempFolder(async (folder) => {
    const root = join(folder, 'root');
    mkdirSync(join(root, 'a/b'), { recursive: true });
    mkdirSync(join(root, 'c'));
    const watcher = new FolderWatcher(root, join(folder, 'watch'));
    const look = async (...folders: readonly string[]) => {
      const begun = await watcher.begin();
      for (const path of folders) begun?.enter(path as BytePath);
      begun?.end([]);
      return begun?.suspects === undefined
        ? 'all'
        : folders.filter((path) => begun.suspects?.reaches(path as BytePath));
    };
    try {
      await use({ root, watcher, look });
    } finally {
      watcher.close();
    }
  });
}

const ALL = ['', 'a', 'a/b', 'c'] as const;

test('the first look is at everything, the next at what was changed', () =>
  inWatched(async ({ root, look }) => {
    assert.equal(await look(...ALL), 'all');
    assert.deepEqual(await look(...ALL), []);
    writeFileSync(join(root, 'a/b/file'), 'x');
    assert.deepEqual(await look(...ALL), ['', 'a', 'a/b']);
    assert.deepEqual(await look(...ALL), []);
  }));

test('a look that did not come to its end, or that is not to be trusted, is followed by one at everything', () =>
  inWatched(async ({ watcher, look }) => {
    await look(...ALL);
    await watcher.begin();
    assert.equal(await look(...ALL), 'all');
    watcher.distrust();
    assert.equal(await look(...ALL), 'all');
    assert.deepEqual(await look(...ALL), []);
  }));

test('of a folder that was moved away and another put in its place, nothing is known', () =>
  inWatched(async ({ root, look }) => {
    await look(...ALL);
    renameSync(join(root, 'a'), join(root, 'old'));
    renameSync(join(root, 'c'), join(root, 'a'));
    mkdirSync(join(root, 'a/b'));
    writeFileSync(join(root, 'a/b/file'), 'x');
    assert.deepEqual(await look(...ALL), ['', 'a', 'c']);
    writeFileSync(join(root, 'a/b/file'), 'y');
    assert.deepEqual(await look(...ALL), ['', 'a', 'a/b']);
  }));

test('more changes than the kernel keeps in mind, or another folder at the root’s path, mean a look at everything', () =>
  inWatched(async ({ root, look }) => {
    await look(...ALL);
    for (const name of ['0', '1']) writeFileSync(join(root, 'c', name), '');
    // Turn by turn: the kernel makes one of equal events in a row.
    for (let i = 0; i < MOST_EVENTS; i++) utimesSync(join(root, 'c', String(i % 2)), i, i);
    assert.equal(await look(...ALL), 'all');
    renameSync(root, `${root}-old`);
    mkdirSync(join(root, 'a/b'), { recursive: true });
    mkdirSync(join(root, 'c'));
    assert.equal(await look(...ALL), 'all');
    writeFileSync(join(root, 'a/b/file'), 'x');
    assert.deepEqual(await look(...ALL), ['', 'a', 'a/b']);
    rmSync(`${root}-old`, { recursive: true });
  }));

test('a file with a second name elsewhere is seen to change, although the change was made by that name', () =>
  inTempFolder(async (folder) => {
    const root = join(folder, 'root');
    mkdirSync(join(root, 'a'), { recursive: true });
    writeFileSync(join(root, 'a/file'), 'one');
    linkSync(join(root, 'a/file'), join(folder, 'outside'));
    const watchFolder = join(folder, 'watch');
    const tree = openWorkingTree({ root, stateFile: join(folder, 'state.bin'), rules: RULES, watchFolder });
    try {
      await tree.look();
      const tracked = (await tree.look()).disk;
      writeFileSync(join(folder, 'outside'), 'two');
      assert.notEqual((await tree.look({ tracked })).disk.oid, tracked.oid);
    } finally {
      tree.close();
    }
  }));
