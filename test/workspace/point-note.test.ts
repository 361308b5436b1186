import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parsePointId } from '../../server/domain/point.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const MAGIC = 'devloop1';

interface Cut {
  readonly note: string;
  readonly ref: string;
  readonly packs: readonly string[];
}

/** A second point that was told, and its note as it was then: nothing else of it need be on the disk. */
async function cutAfterPoint(lab: WorkspaceLab): Promise<Cut> {
  const store = lab.workspaces.list()[0]?.store ?? '';
  const folder = join(store, 'vcs.git/objects/pack');
  lab.put('a', 'one');
  await lab.workspace.takePoint({ reason: 'first' });
  await lab.workspace.close();
  const old = new Set(readdirSync(folder));
  lab.put('a', 'two');
  lab.put('b', 'two');
  const { id } = await lab.workspace.takePoint({ reason: 'second' });
  await lab.workspace.close();
  const note = join(store, 'ahead.bin');
  assert.ok(!readFileSync(note).includes(MAGIC), 'once the disk has all there is no note');
  begin(note);
  rmSync(join(store, 'points.ndjson'));
  const packs = readdirSync(folder).flatMap((name) => (old.has(name) ? [] : [join(folder, name)]));
  return { note, ref: join(store, 'vcs.git/refs/points', id), packs };
}

/** Makes a note of what is left of one. */
function begin(note: string): void {
  const bytes = readFileSync(note);
  bytes.write(MAGIC);
  writeFileSync(note, bytes);
}

function emptied(path: string): void {
  writeFileSync(path, Buffer.alloc(statSync(path).size));
}

const CUTS: Record<string, (cut: Cut) => void> = {
  'took nothing': () => {},
  'took every name': ({ ref, packs }) => {
    for (const path of [ref, ...packs]) rmSync(path);
  },
  'took every content': ({ ref, packs }) => {
    for (const path of [ref, ...packs]) emptied(path);
  },
  'took the objects': ({ packs }) => {
    for (const path of packs) rmSync(path);
  },
  'left an empty ref': ({ ref }) => writeFileSync(ref, ''),
  'left a lock of the ref': ({ ref }) => {
    rmSync(ref);
    writeFileSync(`${ref}.lock`, '');
  },
};

for (const [what, cut] of Object.entries(CUTS))
  test(`a point that was told is there after a power cut that ${what}`, async () => {
    await inWorkspace(async (lab) => {
      const made = await cutAfterPoint(lab);
      cut(made);
      const workspace = lab.workspaces.find(lab.workspace.id);
      const points = await workspace.points();
      assert.deepEqual(
        points.map(({ reason }) => reason),
        ['second', 'first'],
      );
      assert.deepEqual(await workspace.verify(), { points: 2, problems: [] });
      assert.deepEqual(await workspace.changes(parsePointId(points[0]?.id ?? ''), 'now'), []);
      assert.ok(!readFileSync(made.note).includes(MAGIC), 'it is redone once');
      await workspace.close();
    });
  });

test('a note that did not reach the disk whole is none', async () => {
  await inWorkspace(async (lab) => {
    const { note, ref, packs } = await cutAfterPoint(lab);
    const bytes = readFileSync(note);
    bytes.fill(0, 500, 520);
    writeFileSync(note, bytes);
    for (const path of [ref, ...packs]) rmSync(path);
    const workspace = lab.workspaces.find(lab.workspace.id);
    assert.deepEqual(
      (await workspace.points()).map(({ reason }) => reason),
      ['first'],
    );
    assert.ok(!readFileSync(note).includes(MAGIC));
    await workspace.close();
  });
});

test('what is purged is not in the note of the last point either', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a', 'one');
    await lab.workspace.takePoint({ reason: 'first' });
    lab.put('secret');
    await lab.workspace.takePoint({ reason: 'second' });
    await lab.workspace.purge(bytePathFromText('secret'));
    const store = lab.workspaces.list()[0]?.store ?? '';
    assert.ok(!readdirSync(store).includes('ahead.bin'));
    await lab.workspace.takePoint({ reason: 'third' });
    assert.deepEqual((await lab.workspace.verify()).problems, []);
  });
});

test('what lies in the place of the note and is none of ours is named, and not followed', async () => {
  await inWorkspace(async (lab) => {
    const { note } = await cutAfterPoint(lab);
    for (const make of [() => symlinkSync('elsewhere', note), () => mkdirSync(note)]) {
      rmSync(note, { recursive: true });
      make();
      const workspace = lab.workspaces.find(lab.workspace.id);
      const refused = { code: 'store_damaged', hint: /Remove it/ };
      await assert.rejects(workspace.points(), refused);
      await assert.rejects(workspace.takePoint({ reason: 'third' }), refused);
      await workspace.close();
    }
  });
});

test('a point of more than fits into a note is made as well', async () => {
  await inWorkspace(async (lab) => {
    lab.put('a', 'one');
    await lab.workspace.takePoint({ reason: 'first' });
    for (let i = 0; i < 20; i++) lab.put(`f${i}`, noise(i, 30_000));
    await lab.workspace.takePoint({ reason: 'second' });
    assert.deepEqual(await lab.workspace.verify(), { points: 2, problems: [] });
  });
});

/** Text that no compressor makes small. */
function noise(seed: number, length: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
