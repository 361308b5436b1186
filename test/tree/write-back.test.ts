import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BytePath } from '../../server/domain/byte-path.ts';
import type { TreeFile } from '../../server/domain/file-tree.ts';
import { finishWriteBacks, parseIgnoreList, writeBack } from '../../server/tree/index.ts';
import { OpenFolder } from '../../server/tree/open-folder.ts';
import { orderSteps } from '../../server/tree/restore-steps.ts';
import { contentOf, diskSnapshot } from '../support/disk-snapshot.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { applyEdits, type Edit, editsOf } from '../support/tree-edits.ts';
import { TreePlace } from '../support/tree-place.ts';

async function backAndForth(first: readonly Edit[], second: readonly Edit[]): Promise<void> {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    applyEdits(place.root, first);
    const [before, saved] = [diskSnapshot(place.root), await place.keep()];
    applyEdits(place.root, second);
    const [between, later] = [diskSnapshot(place.root), await place.keep()];
    const plan = await place.plan(saved);
    assert.deepEqual([plan.kept, plan.blocked], [[], []]);
    const report = await place.restore(plan);
    assert.deepEqual(report.skipped, []);
    const after = diskSnapshot(place.root);
    assert.deepEqual(contentOf(after), contentOf(before));
    const touched = new Set<string>(plan.files.map(({ path }) => path));
    for (const [path, entry] of after) {
      if (entry.kind !== 'folder' && !touched.has(path)) assert.deepEqual(entry, between.get(path));
    }
    await place.restore(await place.plan(later));
    assert.deepEqual(contentOf(diskSnapshot(place.root)), contentOf(between));
    assert.deepEqual((await place.plan(later)).files, []);
    assert.deepEqual(readdirSync(place.journal), []);
  });
}

test('what was saved comes back to the byte, mode, link and empty folder, and nothing else is written', async () => {
  await fc.assert(fc.asyncProperty(editsOf(), editsOf(), backAndForth), { numRuns: Number(process.env.RUNS ?? 60) });
});

test('a file or folder in place of the other is swapped both ways', async () => {
  const write = (path: string): Edit => ({ kind: 'write', path, content: path, sameTime: false });
  await backAndForth([write('a/b/c'), write('x')], [write('a'), write('x/y/z')]);
  await backAndForth([write('a')], [{ kind: 'link', path: 'a', target: '/etc' }]);
  await backAndForth([write('a/b'), { kind: 'folder', path: 'e/f' }], [{ kind: 'link', path: 'a', target: '/etc' }]);
});

test('a rename by case only arrives', async () => {
  const write = (path: string): Edit => ({ kind: 'write', path, content: 'same', sameTime: false });
  await backAndForth([write('A.txt')], [{ kind: 'move', path: 'A.txt', to: 'a.txt' }]);
});

test("in git's terms a restore keeps other permission bits and empty folders, and prunes what it emptied", async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const at = (name: string): string => join(place.root, name);
    writeFileSync(at('run'), '1');
    writeFileSync(at('private'), '1');
    chmodSync(at('run'), 0o750);
    chmodSync(at('private'), 0o600);
    const saved = await place.keep();
    chmodSync(at('run'), 0o640);
    writeFileSync(at('private'), '2');
    mkdirSync(at('empty'));
    mkdirSync(at('new/deep'), { recursive: true });
    writeFileSync(at('new/deep/f'), 'x');
    await place.keep();
    await place.restore(await place.plan(saved, { modes: 'git' }), 'git');
    assert.deepEqual(contentOf(diskSnapshot(place.root)), {
      empty: 'folder 755 ',
      private: 'file 600 1',
      run: 'file 750 1',
    });
  });
});

test('nothing is written where nothing differs', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    writeFileSync(join(place.root, 'f'), 'x');
    const saved = await place.keep();
    const before = diskSnapshot(place.root);
    const report = await place.restore(await place.plan(saved));
    assert.equal(report.changed, 0);
    assert.deepEqual(diskSnapshot(place.root), before);
  });
});

test('a plan that the disk has left behind is refused, says what moved and writes nothing', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const file = join(place.root, 'f');
    writeFileSync(file, 'old');
    writeFileSync(join(place.root, 'g'), 'old');
    const saved = await place.keep();
    for (const name of ['f', 'g']) writeFileSync(join(place.root, name), 'new');
    const plan = await place.plan(saved);
    writeFileSync(file, 'mine');
    await assert.rejects(place.restore(plan), { code: 'plan_stale', data: { moved: [{ path: 'f' }] } });
    assert.equal(readFileSync(join(place.root, 'g'), 'utf8'), 'new');
    assert.deepEqual(readdirSync(place.root).sort(), ['f', 'g']);
    assert.deepEqual(readdirSync(place.journal), []);
  });
});

test('what a rule leaves out is neither overwritten nor deleted nor in the way of its folder', async () => {
  await inTempFolder(async (folder) => {
    const plain = new TreePlace(folder);
    mkdirSync(join(plain.root, 'd'));
    writeFileSync(join(plain.root, 'd/x.log'), 'in the point');
    writeFileSync(join(plain.root, 'd/f'), '1');
    const saved = await plain.keep();
    const place = new TreePlace(folder, { lists: [parseIgnoreList('*.log\n', 'rules')], key: 'other' });
    writeFileSync(join(place.root, 'd/x.log'), 'mine');
    writeFileSync(join(place.root, 'd/y.log'), 'mine');
    rmSync(join(place.root, 'd/f'));
    for (const [oid, content] of plain.contents) place.contents.set(oid, content);
    const plan = await place.plan(saved);
    assert.deepEqual(plan.kept, [{ path: 'd/x.log', reason: 'ignored' }]);
    await place.restore(plan);
    assert.equal(readFileSync(join(place.root, 'd/x.log'), 'utf8'), 'mine');
    assert.ok(existsSync(join(place.root, 'd/y.log')));
    const empty = new TreePlace(join(folder, 'empty'));
    await place.restore(await place.plan(await empty.keep()));
    assert.deepEqual(readdirSync(join(place.root, 'd')).sort(), ['x.log', 'y.log']);
  });
});

test('a folder that holds something left out blocks a file of its name, and is named', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder, { lists: [parseIgnoreList('keep\n', 'rules')] });
    writeFileSync(join(place.root, 'a'), 'file');
    const saved = await place.keep();
    rmSync(join(place.root, 'a'));
    mkdirSync(join(place.root, 'a/keep'), { recursive: true });
    const plan = await place.plan(saved);
    assert.deepEqual(plan.blocked, [{ path: 'a', reason: 'folder_in_the_way' }]);
    await place.restore(plan);
    assert.ok(existsSync(join(place.root, 'a/keep')));
  });
});

test('single paths can be chosen', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    for (const name of ['a', 'b']) writeFileSync(join(place.root, name), '1');
    const saved = await place.keep();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(place.root, name), '2');
    const keep = (path: string): string | undefined => (path === 'a' ? undefined : 'not_chosen');
    const plan = await place.plan(saved, { modes: 'exact', keep });
    await place.restore(plan);
    assert.deepEqual(
      plan.kept.map(({ path }) => path),
      ['b', 'c'],
    );
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => readFileSync(join(place.root, name), 'utf8')),
      ['1', '2', '2'],
    );
  });
});

test('a hard link outside keeps its content', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    writeFileSync(join(place.root, 'a'), 'old');
    const saved = await place.keep();
    writeFileSync(join(place.root, 'a'), 'new');
    linkSync(join(place.root, 'a'), join(folder, 'outside'));
    await place.restore(await place.plan(saved));
    assert.equal(readFileSync(join(folder, 'outside'), 'utf8'), 'new');
    assert.equal(readFileSync(join(place.root, 'a'), 'utf8'), 'old');
  });
});

test('a folder that became a link after the plan is not written through', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    mkdirSync(join(place.root, 'd'));
    writeFileSync(join(place.root, 'd/f'), 'old');
    const saved = await place.keep();
    rmSync(join(place.root, 'd/f'));
    const plan = await place.plan(saved);
    mkdirSync(join(folder, 'outside'));
    renameSync(join(place.root, 'd'), join(place.root, 'e'));
    symlinkSync(join(folder, 'outside'), join(place.root, 'd'));
    const report = await place.restore(plan);
    assert.deepEqual(readdirSync(join(folder, 'outside')), []);
    assert.deepEqual(
      report.skipped.map(({ path }) => path),
      ['d', 'd/f'],
    );
  });
});

test('what only staged files is dropped at the next start, also where a power cut left a part of its note', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    mkdirSync(place.journal);
    for (const note of [{ schema: 1, id: 'r9', root: place.root, stages: ['.devloop-restore-r9'] }, undefined]) {
      mkdirSync(join(place.root, '.devloop-restore-r9'), { recursive: true });
      writeFileSync(join(place.root, '.devloop-restore-r9/0'), 'staged');
      writeFileSync(join(place.journal, 'r9.staging.json'), note === undefined ? '{"schema":1,' : JSON.stringify(note));
      assert.deepEqual(await finishWriteBacks(place.journal), []);
      assert.deepEqual(readdirSync(place.journal), []);
      assert.deepEqual(readdirSync(place.root), note === undefined ? ['.devloop-restore-r9'] : []);
    }
  });
});

test('a note that comes back after a power cut changes nothing that was changed since', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const [file, mode, gone, note] = ['f', 'm', 'g', '../journal/r1.restore.json'].map((name) =>
      join(place.root, name),
    );
    for (const path of [file, mode]) writeFileSync(path ?? '', 'old');
    const saved = await place.keep();
    for (const path of [file, gone]) writeFileSync(path ?? '', 'new');
    chmodSync(mode ?? '', 0o600);
    const plan = await place.plan(saved);
    await place.restore(plan);
    const staged = new Map([['f' as BytePath, { folder: 0, name: '0', ino: lstatSync(file ?? '').ino }]]);
    const steps = orderSteps(plan, staged, new Map());
    for (const path of [file, gone]) writeFileSync(path ?? '', 'mine');
    chmodSync(mode ?? '', 0o640);
    const before = diskSnapshot(place.root);
    writeFileSync(
      note ?? '',
      JSON.stringify({ schema: 1, id: 'r1', root: place.root, stages: ['.devloop-restore-r1'], steps }),
    );
    assert.equal((await finishWriteBacks(place.journal)).length, 1);
    assert.deepEqual(diskSnapshot(place.root), before);
  });
});

test('where the record of a restore cannot be written, that is told, and nothing is written or left behind', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    writeFileSync(join(place.root, 'f'), 'old');
    const saved = await place.keep();
    writeFileSync(join(place.root, 'f'), 'new');
    const plan = await place.plan(saved);
    const read = async (file: TreeFile): Promise<Uint8Array> => {
      await new Promise((resolve) => setImmediate(resolve));
      return place.read(file);
    };
    const request = { id: 'r1', root: place.root, journal: place.journal, plan, modes: 'exact' as const, read };
    await assert.rejects(writeBack({ ...request, record: { path: 'none/r', text: '' } }), { code: 'ENOENT' });
    assert.deepEqual([readdirSync(place.root), readdirSync(place.journal)], [['f'], []]);
    assert.equal(readFileSync(join(place.root, 'f'), 'utf8'), 'new');
  });
});

test('names of one file, hard links, are each overwritten, deleted and given their mode', async () => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const at = (name: string): string => join(place.root, name);
    for (const name of ['a', 'b', 'c']) writeFileSync(at(name), name);
    chmodSync(at('c'), 0o600);
    const saved = await place.keep();
    for (const name of ['a', 'b']) rmSync(at(name));
    for (const name of ['a', 'b', 'gone']) linkSync(at('c'), at(name));
    chmodSync(at('c'), 0o644);
    assert.deepEqual((await place.restore(await place.plan(saved))).skipped, []);
    const names = readdirSync(place.root).sort();
    assert.deepEqual(
      names.map((name) => [name, readFileSync(at(name), 'utf8')]),
      ['a', 'b', 'c'].map((name) => [name, name]),
    );
    assert.equal(lstatSync(at('c')).mode & 0o7777, 0o600);
  });
});

test('where a folder cannot be opened to be synced, the restore is told as pending and no descriptor stays open', async (t) => {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(join(place.root, name));
      writeFileSync(join(place.root, name, 'f'), 'old');
    }
    const saved = await place.keep();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(place.root, name, 'f'), 'new');
    const plan = await place.plan(saved);
    const open = (): number => readdirSync('/proc/self/fd').length;
    const again = OpenFolder.prototype.again;
    let calls = 0;
    t.mock.method(OpenFolder.prototype, 'again', function (this: OpenFolder) {
      if (++calls === 3) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return again.call(this);
    });
    const before = open();
    await assert.rejects(place.restore(plan), { code: 'restore_pending' });
    assert.equal(open(), before);
    await finishWriteBacks(place.journal);
    assert.equal(readFileSync(join(place.root, 'c/f'), 'utf8'), 'old');
  });
});
