import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_FOLDER, EMPTY_TREE, type TreeFolder } from '../../server/domain/file-tree.ts';
import type { Oid } from '../../server/domain/ids.ts';
import { isSettled } from '../../server/tree/disk-tree.ts';
import {
  type DiskFolder,
  HASH_ONLY,
  openWorkingTree,
  parseIgnoreList,
  type TreeRules,
  type WorkingTree,
} from '../../server/tree/index.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { applyEdits, editsOf } from '../support/tree-edits.ts';

const RULES: TreeRules = { ignoreFiles: true, lists: [], key: 'test' };

function openIn(folder: string, rules: Partial<TreeRules> = {}): { root: string; tree: WorkingTree } {
  const root = join(folder, 'root');
  mkdirSync(root, { recursive: true });
  return { root, tree: openWorkingTree({ root, stateFile: join(folder, 'state.bin'), rules: { ...RULES, ...rules } }) };
}

/** git's own idea of the folder: the index goes on from the last call. */
function gitTree(root: string, gitDir: string): string {
  rawGit(root, [`--git-dir=${gitDir}`, '--work-tree=.', '-c', 'core.trustctime=true', 'add', '-A', '.']);
  return rawGit(root, [`--git-dir=${gitDir}`, 'write-tree']).trim();
}

async function sameAsGit(
  folder: string,
  rounds: readonly (readonly Parameters<typeof applyEdits>[1][number][])[],
): Promise<void> {
  const { root, tree } = openIn(folder);
  const gitDir = join(folder, 'git');
  rawGit(folder, ['init', '-q', '--bare', gitDir]);
  let tracked = (await tree.look()).disk;
  for (const edits of rounds) {
    applyEdits(root, edits);
    const look = await tree.look({ tracked });
    // git judges by its index, so an index is made anew where its clock's grain could hide an edit.
    assert.equal(look.disk.oid, gitTree(root, gitDir));
    tracked = look.disk;
  }
  tree.save();
  const again = openWorkingTree({ root, stateFile: join(folder, 'state.bin'), rules: RULES });
  assert.equal((await again.look({ tracked })).disk.oid, tracked.oid);
}

test('a folder has the tree that git gives it, through any series of edits', async () => {
  const rounds = fc.array(
    editsOf().map((edits) => edits.map((edit) => ({ ...edit, sameTime: false }))),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(rounds, (edits) => inTempFolder((folder) => sameAsGit(folder, edits))),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
});

test('ignore files at any depth count as in git, and what is tracked stays', async () => {
  const lines = fc.constantFrom('a', '*.b', '/b', 'ab/', '!a', 'a/*', '!a/b', '**/b');
  const rules = fc.array(lines, { maxLength: 4 }).map((all) => all.join('\n'));
  const rule = fc.record({ path: fc.constantFrom('.gitignore', 'a/.gitignore', 'b/a/.gitignore'), content: rules });
  const edits = fc
    .tuple(editsOf(['a', 'b', 'ab', 'a.b']), fc.array(rule, { maxLength: 2 }))
    .map(([before, files]) => [
      ...before.map((edit) => ({ ...edit, sameTime: false })),
      ...files.map((file) => ({ kind: 'write' as const, sameTime: false, ...file })),
    ]);
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 4 }), (rounds) =>
      inTempFolder((folder) => sameAsGit(folder, rounds)),
    ),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
});

test('an edit of the same size is found although its time was put back at once', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    const file = join(root, 'f');
    writeFileSync(file, 'aaaa');
    const time = statSync(file).mtimeMs / 1000;
    utimesSync(file, time, time);
    let last = (await tree.look()).disk.oid;
    for (let i = 0; i < 50; i++) {
      writeFileSync(file, String(1000 + i));
      utimesSync(file, time, time);
      const now = (await tree.look()).disk.oid;
      assert.notEqual(now, last);
      last = now;
    }
  });
});

test('a look at an unchanged folder gives the same objects and reads nothing', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/f'), 'x');
    const old = new Date(Date.now() - 60_000);
    await tree.look();
    // The clock's grain has to pass before a look can be believed.
    while (Date.now() - statSync(join(root, 'd')).ctimeMs < 40) await new Promise((done) => setImmediate(done));
    const first = (await tree.look()).disk;
    assert.equal((await tree.look()).disk, first);
    utimesSync(join(root, 'd/f'), old, old);
    assert.notEqual((await tree.look()).disk, first);
  });
});

test('the last few trees are at hand without a read, until all is forgotten', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    const unread = (): Promise<never> => Promise.reject(new Error('a tree was read'));
    const written: TreeFolder[] = [];
    for (const text of ['one', 'two', 'three', 'four']) {
      mkdirSync(join(root, 'd'), { recursive: true });
      writeFileSync(join(root, 'd/f'), text);
      written.push((await tree.write({ base: EMPTY_FOLDER, sink: HASH_ONLY })).tree);
    }
    const [first, ...others] = written;
    for (const one of others) assert.equal(await tree.load(one.oid as Oid, unread), one);
    await assert.rejects(tree.load(first?.oid as Oid, unread), /a tree was read/);
    tree.forget();
    for (const one of others) await assert.rejects(tree.load(one.oid as Oid, unread), /a tree was read/);
  });
});

test('what cannot be held is named, and nothing hangs on it', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder, { maxFileBytes: 10, secrets: parseIgnoreList('*.pem\n', 'names') });
    for (const name of ['.GIT', 'git~1', '.git ', '.git.', '.git::$X', 'a\\.git', 'big', 'key.pem', 'ok', 'x.log']) {
      writeFileSync(join(root, name), name === 'big' ? 'x'.repeat(11) : 'x');
    }
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    mkdirSync(join(root, 'nested/.git'), { recursive: true });
    mkdirSync(join(root, '.devloop-restore-1'));
    writeFileSync(join(root, '.devloop-restore-1/f'), 'x');
    writeFileSync(join(root, 'nested/f'), 'x');
    mkdirSync(join(root, '.git'));
    symlinkSync('x', join(root, '.gitmodules'));
    rawGit(root, ['--version']);
    const { disk, leftOut, nested } = await tree.look();
    assert.deepEqual(
      disk.entries.map(({ name }) => name),
      ['.gitignore', 'nested', 'ok'],
    );
    assert.deepEqual(nested, ['nested']);
    assert.deepEqual(Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason])), {
      '.GIT': 'reserved_name',
      'git~1': 'reserved_name',
      '.git ': 'reserved_name',
      '.git.': 'reserved_name',
      '.git::$X': 'reserved_name',
      'a\\.git': 'reserved_name',
      '.gitmodules': 'reserved_name',
      big: 'too_large',
      'key.pem': 'secret_name',
      'x.log': 'ignored',
    });
  });
});

test('a file that shrinks under the limit comes in at the next look', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder, { maxFileBytes: 4 });
    writeFileSync(join(root, 'f'), '12345');
    assert.equal((await tree.look()).disk.oid, EMPTY_TREE);
    writeFileSync(join(root, 'f'), '1234');
    assert.deepEqual(
      (await tree.look()).disk.entries.map(({ name }) => name),
      ['f'],
    );
  });
});

test('only the scope is looked at; the rest stays as it was known', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    for (const name of ['a', 'b']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'f'), '1');
    }
    const whole = (await tree.look()).disk;
    for (const name of ['a', 'b']) writeFileSync(join(root, name, 'f'), '2');
    writeFileSync(join(root, 'c'), 'new');
    const { disk } = await tree.look({ scope: ['a/**'] });
    assert.deepEqual(
      disk.entries.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.notEqual(disk.entries[0]?.oid, whole.entries[0]?.oid);
    assert.equal(disk.entries[1], whole.entries[1]);
    assert.deepEqual(
      (await tree.look()).disk.entries.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
  });
});

test('a state file that is damaged or of another time costs time only', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/f'), 'x');
    const { disk } = await tree.look();
    tree.save();
    const state = join(folder, 'state.bin');
    const whole = readFileSync(state);
    for (const bytes of [whole.subarray(0, 60), Buffer.alloc(0), Buffer.from(whole).fill(7, 30, 31), whole]) {
      writeFileSync(state, bytes);
      const again = openWorkingTree({ root, stateFile: state, rules: RULES });
      assert.equal((await again.look()).disk.oid, disk.oid);
    }
  });
});

test('what lies too deep for a path is named as unreadable', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    const deep = Array.from({ length: 15 }, () => 'd'.repeat(200)).join('/');
    for (const top of ['a', 'b']) mkdirSync(join(root, top, deep), { recursive: true });
    writeFileSync(join(root, 'b', deep, 'f'), 'x');
    renameSync(join(root, 'b'), join(root, 'a', deep, 'b'));
    const { leftOut } = await tree.look();
    assert.deepEqual(
      leftOut.map(({ reason }) => reason),
      ['unreadable'],
    );
  });
});

test('a folder that is not there is an error, and one that moved away is one', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    await tree.look();
    renameSync(root, `${root}-away`);
    await assert.rejects(tree.look(), { code: 'not_found' });
  });
});

test('a whole look leaves nothing out by rules that came and went while only a part was looked at', async () => {
  await inTempFolder(async (folder) => {
    const { root, tree } = openIn(folder);
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, '.gitignore'), '*.tmp\n');
    await tree.look();
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    writeFileSync(join(root, 'src/new.log'), 'x');
    let src = await srcOf({ scope: ['src/**'] });
    // Until it was not changed just before: then its names are believed the next time.
    while (!isSettled(src)) src = await srcOf({ scope: ['src/**'] });
    assert.deepEqual(src.left, [{ name: 'new.log', reason: 'ignored' }]);
    writeFileSync(join(root, '.gitignore'), '*.tmp\n');
    assert.deepEqual(
      (await srcOf({})).entries.map(({ name }) => name),
      ['new.log'],
    );

    async function srcOf(request: { readonly scope?: readonly string[] }): Promise<DiskFolder> {
      const found = (await tree.look(request)).disk.entries.find(({ name }) => name === 'src');
      assert.ok(found?.kind === 'folder');
      return found;
    }
  });
});
