import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseOid, ZERO_OID } from '../../../server/domain/ids.ts';
import { decodeNote, encodeNote, NO_NOTE } from '../../../server/git/ahead/ahead-note.ts';

const OID = parseOid('1'.repeat(40));
const file = (bytes: Uint8Array, i = 1) => ({ path: `pack/pack-${String(i).padStart(40, '0')}.pack`, bytes });
const NOTE = {
  owner: 'c/p',
  n: 7,
  updates: [{ ref: 'refs/heads/main', old: ZERO_OID, new: OID }],
  files: [file(Buffer.from('one')), file(Buffer.alloc(0), 2)],
  record: { ts: 'now' },
};

const plain = (note: ReturnType<typeof decodeNote>) =>
  note && { ...note, files: note.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('hex')]) };

test('a note is read as it was written, whatever follows it in its file', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), fc.uint8Array(), (contents, rest) => {
      const note = { ...NOTE, files: contents.map((bytes, i) => file(bytes, i)) };
      assert.deepEqual(plain(decodeNote(Buffer.concat([encodeNote(note), rest]))), plain(note));
    }),
  );
});

test('a note of which a bit is wrong, or the end is missing, is none', () => {
  const bytes = encodeNote(NOTE);
  for (let at = 0; at < bytes.length; at++) {
    const wrong = Buffer.from(bytes);
    wrong.writeUInt8(wrong.readUInt8(at) ^ (1 << (at % 8)), at);
    assert.equal(decodeNote(wrong), undefined, `byte ${at}`);
    assert.equal(decodeNote(bytes.subarray(0, at)), undefined, `${at} bytes`);
  }
});

test('a note whose first letters were written over is none', () => {
  const bytes = encodeNote(NOTE);
  bytes.set(NO_NOTE, 0);
  assert.equal(decodeNote(bytes), undefined);
});

test('a note that names a file elsewhere than among the objects is refused', () => {
  const bytes = encodeNote({ ...NOTE, files: [{ path: '../config', bytes: Buffer.from('x') }] });
  assert.throws(() => decodeNote(bytes));
});
