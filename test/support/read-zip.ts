import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: Buffer;
  /** Type and permission bits as on Unix. */
  readonly mode: number;
  readonly content: Buffer;
}

/** Reads a zip by its central directory and checks every sum. Only what small archives need: no ZIP64. */
export function readZip(zip: Buffer): readonly ZipEntry[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  assert.ok(end >= 0, 'the zip has no end');
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    const [method, sum, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + packed);
    const content = method === 0 ? bytes : inflateRawSync(bytes);
    assert.equal(crc32(content), sum);
    entries.push({
      name: zip.subarray(at + 46, at + 46 + name),
      mode: zip.readUInt32LE(at + 38) >>> 16,
      content,
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}
