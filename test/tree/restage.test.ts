import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BytePath } from '../../server/domain/byte-path.ts';
import type { TreeFile } from '../../server/domain/file-tree.ts';
import { writeBack } from '../../server/tree/index.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { TreePlace } from '../support/tree-place.ts';

interface Restored {
  readonly place: TreePlace;
  readonly at: (name: string) => string;
  /** Puts the note back that a power cut would have found, and carries it on. */
  readonly cut: (change?: (note: string) => string, name?: string) => ReturnType<TreePlace['finish']>;
  readonly content: (name: string) => string;
}

/** Brings `f`, `g`, a link and `d/new` back, as a caller has it that does not wait for the disk. */
async function restored(
  use: (lab: Restored) => Promise<void>,
  kept: (file: TreeFile, path: BytePath) => boolean = () => true,
): Promise<void> {
  await inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const at = (name: string): string => join(place.root, name);
    mkdirSync(at('d'));
    for (const name of ['f', 'g', 'd/new']) writeFileSync(at(name), `old ${name}`);
    symlinkSync('f', at('link'));
    const saved = await place.keep();
    for (const name of ['f', 'g', 'added']) writeFileSync(at(name), `new ${name}`);
    rmSync(at('link'));
    rmSync(at('d'), { recursive: true });
    const plan = await place.plan(saved);
    const { root, journal } = place;
    const done = await place.restoreSoon(plan, kept);
    const note = readFileSync(join(journal, 'r1.placed.json'), 'utf8');
    assert.deepEqual(readdirSync(root).sort(), ['d', 'f', 'g', 'link'], 'the stage is gone when it resolves');
    await done.settled;
    assert.deepEqual(readdirSync(journal), []);
    const cut: Restored['cut'] = (change = (text) => text, name = 'r1.restore.json') => {
      writeFileSync(join(journal, name), change(note));
      return place.finish();
    };
    await use({ place, at, cut, content: (name) => readFileSync(at(name), 'utf8') });
    assert.deepEqual(readdirSync(journal), []);
    assert.deepEqual(
      readdirSync(root).filter((name) => name.startsWith('.devloop')),
      [],
    );
  });
}

/** As a power cut leaves a file that was not on the disk: shorter, with the time of its writing. */
function tear(path: string): void {
  const { atimeMs, mtimeMs } = lstatSync(path);
  truncateSync(path, 2);
  utimesSync(path, atimeMs / 1000, Math.floor(mtimeMs) / 1000);
}

test('files that a power cut has torn or taken away are made again from what is kept', () =>
  restored(async ({ at, cut, content }) => {
    tear(at('f'));
    for (const name of ['d', 'link']) rmSync(at(name), { recursive: true });
    const whole = lstatSync(at('g'));
    const [report] = await cut();
    assert.deepEqual(report?.skipped, []);
    assert.deepEqual(['f', 'g', 'd/new', 'link'].map(content), ['old f', 'old g', 'old d/new', 'old f']);
    assert.equal(lstatSync(at('link')).isSymbolicLink(), true);
    assert.equal(lstatSync(at('g')).ino, whole.ino, 'what is whole is not written');
  }));

test('what a person changed after the restore is left alone, in place or by another file', () =>
  restored(async ({ at, cut, content }) => {
    writeFileSync(at('f'), 'mine');
    rmSync(at('g'));
    writeFileSync(at('g'), 'mine too');
    writeFileSync(at('added'), 'mine as well');
    await cut();
    assert.deepEqual(['f', 'g', 'added', 'd/new'].map(content), ['mine', 'mine too', 'mine as well', 'old d/new']);
  }));

test('what a person unpacked in a restored file’s place stays, old as it is, also where it got that file’s inode', () =>
  restored(async ({ at, cut, content }) => {
    const { ino } = lstatSync(at('f'));
    rmSync(at('f'));
    const others = Array.from({ length: 50 }, (_, i) => at(`other${i}`));
    for (const other of others) {
      writeFileSync(other, 'unpacked');
      utimesSync(other, 1, 1);
    }
    // Where the file system gives none again, any of them will do.
    renameSync(others.find((other) => lstatSync(other).ino === ino) ?? at('other0'), at('f'));
    await cut();
    assert.equal(content('f'), 'unpacked');
  }));

test('what was in its place and is gone stays gone, and what of it is torn is made again', () =>
  restored(async ({ at, cut, content }) => {
    tear(at('f'));
    for (const name of ['g', 'd/new', 'link']) rmSync(at(name));
    await cut(undefined, 'r1.placed.json');
    assert.equal(content('f'), 'old f');
    assert.deepEqual(readdirSync(at('.')).sort(), ['d', 'f']);
  }));

test('an earlier state that a power cut has brought back is replaced', () =>
  restored(async ({ at, cut, content }) => {
    rmSync(at('f'));
    writeFileSync(at('f'), 'before the plan');
    writeFileSync(at('added'), 'before the plan');
    const later = Date.now() + 60_000;
    await cut((note) => note.replace(/"ctime":[0-9.]+/g, `"ctime":${later}`));
    assert.equal(content('f'), 'old f');
    assert.ok(!readdirSync(at('.')).includes('added'));
  }));

test('a second heir finds the first one’s stage and goes on', () =>
  restored(async ({ at, cut, content }) => {
    tear(at('f'));
    mkdirSync(at('.devloop-restore-r1-again'));
    writeFileSync(at('.devloop-restore-r1-again/0'), 'half');
    await cut();
    assert.equal(content('f'), 'old f');
  }));

test('what cannot be read again is on the disk before the steps are noted, and found in the stage', () =>
  restored(
    async ({ at, cut, content }) => {
      tear(at('g'));
      await cut();
      assert.deepEqual(['g', 'f'].map(content), ['old g', 'old f']);
    },
    (_, path) => path !== 'f',
  ));

test('a note that is whole counts before it has its name, one that is cut short only tells of a stage', () =>
  inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const at = (name: string): string => join(place.root, name);
    writeFileSync(at('f'), 'old');
    const saved = await place.keep();
    writeFileSync(at('f'), 'new');
    const plan = await place.plan(saved);
    const { root, journal } = place;
    const done = await place.restoreSoon(plan);
    const note = readFileSync(join(journal, 'r1.placed.json'));
    await done.settled;
    for (const bytes of [note, note.subarray(0, -20)]) {
      tear(at('f'));
      mkdirSync(at('.devloop-restore-r1'));
      writeFileSync(join(journal, 'r1.restore.json.tmp'), bytes);
      await place.finish();
      assert.equal(readFileSync(at('f'), 'utf8'), bytes === note ? 'old' : 'ol');
      assert.deepEqual([readdirSync(journal), readdirSync(root)], [[], ['f']]);
    }
  }));

test('the record of a restore is there with its first step, and again whenever it is carried on', () =>
  inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    writeFileSync(join(place.root, 'f'), 'old');
    const saved = await place.keep();
    writeFileSync(join(place.root, 'f'), 'new');
    const { root, journal } = place;
    const request = { id: 'r1', root, journal, plan: await place.plan(saved), modes: 'exact' as const };
    const record = { path: '../record', text: 'restored' };
    const kept = (): boolean => true;
    const done = await writeBack({ ...request, kept, record, read: (file) => place.read(file) });
    const [note, text] = ['journal/r1.placed.json', 'record'].map((name) => readFileSync(join(folder, name), 'utf8'));
    assert.equal(text, 'restored');
    await done.settled;
    rmSync(join(folder, 'record'));
    writeFileSync(join(journal, 'r1.restore.json'), note ?? '');
    await place.finish();
    assert.equal(readFileSync(join(folder, 'record'), 'utf8'), 'restored');
    assert.deepEqual(readdirSync(folder).sort(), ['journal', 'record', 'root']);
  }));

test('a folder that is gone holds nothing up, and its restore is carried on when it is back', () =>
  inTempFolder(async (folder) => {
    const place = new TreePlace(folder);
    const other = new TreePlace(join(folder, 'other'));
    for (const { root } of [place, other]) writeFileSync(join(root, 'f'), 'old');
    const [saved, plain] = [await place.keep(), await other.keep()];
    for (const { root } of [place, other]) writeFileSync(join(root, 'f'), 'new');
    const { settled } = await place.restoreSoon(await place.plan(saved));
    const note = readFileSync(join(place.journal, 'r1.placed.json'));
    await settled;
    tear(join(place.root, 'f'));
    writeFileSync(join(place.journal, 'r1.restore.json'), note);
    renameSync(place.root, `${place.root}.away`);
    assert.deepEqual(await place.finish(), []);
    const { root } = other;
    const request = { id: 'r2', root, journal: place.journal, plan: await other.plan(plain), modes: 'exact' as const };
    await writeBack({ ...request, read: (file) => other.read(file) });
    assert.equal(readFileSync(join(root, 'f'), 'utf8'), 'old');
    renameSync(`${place.root}.away`, place.root);
    await assert.rejects(place.restore(await place.plan(saved)), { code: 'restore_pending' });
    assert.equal((await place.finish()).length, 1);
    assert.equal(readFileSync(join(place.root, 'f'), 'utf8'), 'old');
  }));
