import { crc32, deflateRawSync } from 'node:zlib';

export type ZipFiles = Readonly<Record<string, string | Uint8Array>>;

export interface ZipLies {
  /** Keeps contents as they are. */
  readonly stored?: boolean;
  /** Said of each file instead of its size. */
  readonly size?: number;
  /** Marked as encrypted. */
  readonly encrypted?: boolean;
  /** Said of each file instead of its sum. */
  readonly sum?: number;
  /** How it is said to be packed. */
  readonly method?: number;
}

/** Makes a zip, an honest one or one that lies. */
export function zipOf(files: ZipFiles, lies: ZipLies = {}): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = lies.stored ? bytes : deflateRawSync(bytes, { level: 9 });
    const path = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(lies.encrypted ? 1 : 0, 2);
    head.writeUInt16LE(lies.method ?? (lies.stored ? 0 : 8), 4);
    head.writeUInt32LE(lies.sum ?? crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(lies.size ?? bytes.length, 18);
    head.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, path, packed]);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 0, 'latin1');
    entry.writeUInt16LE(20, 4);
    head.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    entries.push(entry, path);
    locals.push(local);
    offset += local.length;
  }
  return Buffer.concat([
    ...locals,
    ...entries,
    endOf(Object.keys(files).length, Buffer.concat(entries).length, offset),
  ]);
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
