import type { PictureFacts } from '../domain/comparison.ts';
import { UnreadError } from './unread-error.ts';

/** True where the first bytes are those of a picture that can be compared. */
export const isPicture = (head: Buffer): boolean => READERS.some(({ is }) => is(head));

/** Reads a picture's format and size from its first bytes, before anything is decoded. Throws UnreadError. */
export function pictureFacts(bytes: Buffer): PictureFacts {
  const reader = READERS.find(({ is }) => is(bytes));
  if (reader === undefined) throw new UnreadError('unsupported', 'is not a PNG, JPEG, GIF, WebP, BMP or AVIF picture');
  try {
    const [width, height] = reader.size(bytes);
    if (width > 0 && height > 0) return { format: reader.format, width, height };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new UnreadError('damaged', `the ${reader.format} picture does not tell its size`);
}

interface SizeReader {
  readonly format: PictureFacts['format'];
  readonly is: (bytes: Buffer) => boolean;
  /** Width and height in pixels; a RangeError where the bytes end before. */
  readonly size: (bytes: Buffer) => readonly [number, number];
}

const text = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

const READERS: readonly SizeReader[] = [
  {
    format: 'png',
    is: (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
    size: (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  },
  { format: 'jpeg', is: (bytes) => text(bytes, 0, 3) === '\xff\xd8\xff', size: jpegSize },
  {
    format: 'gif',
    is: (bytes) => /^GIF8[79]a/.test(text(bytes, 0, 6)),
    size: (bytes) => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
  },
  { format: 'webp', is: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP', size: webpSize },
  {
    format: 'bmp',
    is: (bytes) =>
      text(bytes, 0, 2) === 'BM' && bytes.length > 26 && bytes.readUInt32LE(14) >= 40 && bytes.readUInt32LE(14) <= 124,
    size: (bytes) => [Math.abs(bytes.readInt32LE(18)), Math.abs(bytes.readInt32LE(22))],
  },
  { format: 'avif', is: (bytes) => /^ftypavi[fs]/.test(text(bytes, 4, 12)), size: avifSize },
];

/** The frame header is the first of the segments SOF0 to SOF15, but for DHT, JPG and DAC. */
function jpegSize(bytes: Buffer): readonly [number, number] {
  for (let at = 2; at < bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffff) {
      at++;
      continue;
    }
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return [0, 0];
}

function webpSize(bytes: Buffer): readonly [number, number] {
  switch (text(bytes, 12, 16)) {
    case 'VP8X':
      return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
    }
    default:
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  }
}

/** The largest of the sizes that the properties tell: a picture in tiles has those of the tiles as well. */
function avifSize(bytes: Buffer): readonly [number, number] {
  let [width, height] = [0, 0];
  for (let at = bytes.indexOf('ispe', 0, 'latin1'); at >= 0; at = bytes.indexOf('ispe', at + 4, 'latin1')) {
    if (at > 1 << 16) break;
    width = Math.max(width, bytes.readUInt32BE(at + 8));
    height = Math.max(height, bytes.readUInt32BE(at + 12));
  }
  return [width, height];
}
