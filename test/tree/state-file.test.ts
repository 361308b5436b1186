import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TreeEntryNode, TreeFolder } from '../../server/domain/file-tree.ts';
import { parseOid } from '../../server/domain/ids.ts';
import { ByteReader, ByteWriter } from '../../server/tree/byte-buffer.ts';
import type { DiskFile, DiskFolder, Stamp } from '../../server/tree/disk-tree.ts';
import { readState, writeState } from '../../server/tree/state-file.ts';
import type { TreeState } from '../../server/tree/state-format.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const oid = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => parseOid(Buffer.from(bytes).toString('hex')));
const maybeOid = fc.option(oid, { nil: undefined });
const byteText = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const time = fc.oneof(
  fc.double({ min: -1e12, max: 4e12, noNaN: true }).map((value) => value + 0),
  fc.constantFrom(0, 1.5),
);
const stamp: fc.Arbitrary<Stamp & { mode: number }> = fc.record({
  size: fc.oneof(fc.nat(300), fc.maxSafeNat()),
  mtime: time,
  ctime: time,
  ino: fc.oneof(fc.maxSafeNat(), fc.constantFrom(2 ** 63, 2 ** 64 - 2048)),
  seen: fc.constantFrom(0, 1764000000001, 1764000000002),
  mode: fc.constantFrom(0, 0o644, 0o755, 0o7777),
});

/** Half of what the disk says comes as mtime and ctime in one. */
const touched = fc.tuple(stamp, fc.boolean()).map(([all, same]) => (same ? { ...all, ctime: all.mtime } : all));

const file: fc.Arbitrary<DiskFile> = fc
  .tuple(touched, fc.constantFrom('file' as const, 'link' as const), maybeOid)
  .map(([all, kind, id]) => ({ ...all, kind, name: '', oid: id }));

const named = <Entry extends { readonly name: string }>(entries: Readonly<Record<string, Entry>>): Entry[] =>
  Object.entries(entries)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => ({ ...entry, name }));

const plainRecord = { noNullPrototype: true } as const;
const reason = fc.constantFrom('ignored' as const, 'vanished' as const);
const left = fc.record({ name: byteText, reason }, plainRecord);
const rest = fc.record({ exceptions: fc.boolean(), rules: fc.constantFrom('', '17 3') }, plainRecord);

const { folder: diskFolder } = fc.letrec<{ folder: DiskFolder; entry: DiskFile | DiskFolder }>((tie) => ({
  folder: fc
    .tuple(
      touched,
      maybeOid,
      fc.dictionary(byteText, tie('entry'), { maxKeys: 5, noNullPrototype: true }),
      fc.array(left),
      rest,
    )
    .map(([all, id, entries, left, rest]) => ({
      ...all,
      ...rest,
      kind: 'folder',
      name: '',
      oid: id,
      entries: named(entries),
      left,
    })),
  entry: fc.oneof({ maxDepth: 4 }, file, tie('folder')),
}));

/** A tree that shares some folders with the disk. */
function committedOf(disk: DiskFolder, change: number): TreeFolder {
  const entries = disk.entries.map((entry, i): TreeEntryNode => {
    if (entry.kind === 'folder') return (i + change) % 3 === 0 ? committedOf(entry, change) : entry;
    return { kind: change === 1 ? 'gitlink' : entry.kind, name: entry.name, mode: entry.mode, oid: entry.oid };
  });
  return { kind: 'folder', name: disk.name, mode: disk.mode, oid: undefined, entries };
}

const state: fc.Arbitrary<TreeState> = fc
  .tuple(fc.string({ unit: 'grapheme-ascii' }), diskFolder, fc.nat(4))
  .map(([rulesKey, disk, change]) => ({
    rulesKey,
    disk,
    committed: change === 0 ? undefined : committedOf(disk, change),
  }));

const some = (): TreeState => fc.sample(state, { numRuns: 1, seed: 7 })[0] as TreeState;

test('what was written is read again to the letter', async () => {
  await inTempFolder(async (folder) => {
    const path = join(folder, 'state.bin');
    fc.assert(
      fc.property(state, (kept) => {
        writeState(path, kept);
        const read = readState(path);
        assert.deepEqual(read?.disk, kept.disk);
        assert.equal(read?.rulesKey, kept.rulesKey);
        // A folder that the disk has too comes back as the disk's own, which knows more.
        assert.deepEqual(plain(read?.committed), plain(kept.committed));
      }),
      { numRuns: 200 },
    );
    assert.deepEqual(readdirSync(folder), ['state.bin']);
  });
});

/** What a tree of git's tells. */
function plain(folder: TreeFolder | undefined): unknown {
  return folder?.entries.map((entry) =>
    entry.kind === 'folder'
      ? [entry.name, entry.mode, entry.oid, plain(entry)]
      : [entry.kind, entry.name, entry.mode, entry.oid],
  );
}

test('a state that was cut anywhere, changed anywhere or written by an earlier version counts as none', async () => {
  await inTempFolder(async (folder) => {
    const path = join(folder, 'state.bin');
    writeState(path, { ...some(), rulesKey: 'k'.repeat(70) });
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 1 + (whole.length >> 8)) {
      writeFileSync(path, whole.subarray(0, at));
      assert.equal(readState(path), undefined);
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      writeFileSync(path, changed);
      assert.equal(readState(path), undefined);
    }
    writeFileSync(path, Buffer.concat([Buffer.from('devloop tree state 1\n'), whole.subarray(21)]));
    assert.equal(readState(path), undefined);
    writeFileSync(path, whole);
    assert.equal(readState(path)?.rulesKey.length, 70);
  });
});

test('a state larger than many pieces is whole, and no piece is larger than the others', async () => {
  await inTempFolder(async (folder) => {
    const path = join(folder, 'state.bin');
    const { disk } = some();
    const entries = Array.from(
      { length: 20_000 },
      (_, i): DiskFile => ({
        kind: 'file',
        name: `file ${String(i).padStart(6, '0')}`,
        mode: 0o644,
        oid: parseOid(String(i).padStart(40, '0')),
        size: i,
        mtime: i / 8,
        ctime: i / 4,
        ino: i * 1000,
        seen: 1764000000000 + (i >> 3),
      }),
    );
    const kept = { rulesKey: 'x'.repeat(200_000), disk: { ...disk, entries }, committed: undefined };
    writeState(path, kept);
    assert.deepEqual(readState(path), kept);
  });
});

test('nothing is kept where nothing can be written, and nothing is left behind', async () => {
  await inTempFolder(async (folder) => {
    writeState(join(folder, 'gone', 'state.bin'), some());
    assert.ok(!existsSync(join(folder, 'gone')));
    mkdirSync(join(folder, 'taken'));
    assert.equal(readState(join(folder, 'none')), undefined);
  });
});

test('numbers and texts come out of their pieces as they went in', () => {
  const value = fc.oneof(
    fc.record({ kind: fc.constant('count' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('f64' as const), value: fc.double({ noNaN: true }) }),
    fc.record({ kind: fc.constant('u8' as const), value: fc.nat(255) }),
    fc.record({ kind: fc.constant('text' as const), value: byteText }),
  );
  fc.assert(
    fc.property(fc.array(value), fc.nat(70_000), (values, length) => {
      const pieces: Buffer[] = [];
      const out = new ByteWriter((piece) => pieces.push(Buffer.from(piece)));
      out.text('a'.repeat(length));
      for (const one of values) {
        if (one.kind === 'text') out.text(one.value);
        else out[one.kind](one.value);
      }
      out.end();
      assert.ok(pieces.every((piece) => piece.length <= 64 * 1024));
      const input = new ByteReader(Buffer.concat(pieces));
      assert.equal(input.text().length, length);
      for (const { kind, value } of values) assert.equal(input[kind](), value);
      assert.ok(input.atEnd);
      assert.throws(() => input.count(), RangeError);
    }),
    { numRuns: 60 },
  );
});
