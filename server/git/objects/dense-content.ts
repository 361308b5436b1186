import { deflateSync } from 'node:zlib';

const PIECES = 4;
const PIECE_BYTES = 1024;
const SAMPLE_BYTES = PIECES * PIECE_BYTES;
/** Bits a byte; a sample of random bytes has 7.95, one of text or programs less than 7. */
const DENSE_BITS = 7.8;
/** Of its own size: a sample that gets no smaller than this is dense. */
const DENSE_SHARE = 0.97;

/** True for content that was compressed or encrypted before, as far as a sample tells: to compress it again takes time and saves nothing. */
export function isDense(content: Uint8Array): boolean {
  if (content.length < SAMPLE_BYTES) return false;
  const sample = sampleOf(content);
  return bitsPerByte(sample) > DENSE_BITS && deflateSync(sample, { level: 1 }).length > SAMPLE_BYTES * DENSE_SHARE;
}

/** Pieces from its begin to its end. */
function sampleOf(content: Uint8Array): Uint8Array {
  const sample = Buffer.allocUnsafe(SAMPLE_BYTES);
  const step = (content.length - PIECE_BYTES) / (PIECES - 1);
  for (let i = 0; i < PIECES; i++) {
    const at = Math.floor(i * step);
    sample.set(content.subarray(at, at + PIECE_BYTES), i * PIECE_BYTES);
  }
  return sample;
}

/** Shannon's entropy of single bytes. */
function bitsPerByte(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  return counts.reduce(
    (sum, count) => (count === 0 ? sum : sum - (count / bytes.length) * Math.log2(count / bytes.length)),
    0,
  );
}
