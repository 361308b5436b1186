import type { Pixels } from './pixels.ts';

const SIDE = 32;
const LOW = 8;

/**
 * 64 bits about a picture's coarse shapes in grey: which of the lowest 8 × 8 frequencies of its cosine transform at 32 × 32
 * are above their median. Blind to colour and to what is small.
 */
export function perceptualHash(pixels: Pixels): readonly boolean[] {
  const grey = greyOf(pixels);
  const columns = transformed(grey, (line, at) => line * SIDE + at);
  const both = transformed(columns, (line, at) => at * SIDE + line);
  const low = Array.from({ length: LOW * LOW }, (_, i) => both[(i % LOW) * SIDE + Math.floor(i / LOW)] ?? 0);
  // The first is the mean brightness, which says nothing about shapes.
  const sorted = low.slice(1).sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 0;
  return low.map((value) => value > median + 1e-6);
}

/** Bits in which two hashes differ, 0 to 64. */
export function hashDistance(one: readonly boolean[], other: readonly boolean[]): number {
  return one.filter((bit, at) => bit !== other[at]).length;
}

/** The mean brightness of each of 32 × 32 fields, 0 to 255 (ITU-R BT.601). */
function greyOf({ width, height, data }: Pixels): Float64Array {
  const [left, top] = [width, height].map((size) => fieldsOf(size)) as [readonly Field[], readonly Field[]];
  return Float64Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [left[i % SIDE] ?? WHOLE, top[Math.floor(i / SIDE)] ?? WHOLE];
    let sum = 0;
    for (let row = y.start; row < y.end; row++) {
      for (let at = (row * width + x.start) * 4; at < (row * width + x.end) * 4; at += 4) {
        sum += 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
      }
    }
    return sum / ((x.end - x.start) * (y.end - y.start));
  });
}

interface Field {
  readonly start: number;
  readonly end: number;
}

const WHOLE: Field = { start: 0, end: 1 };

/** Parts a side into 32 fields of at least a pixel. */
function fieldsOf(size: number): readonly Field[] {
  return Array.from({ length: SIDE }, (_, i) => {
    const start = Math.min(size - 1, Math.floor((i * size) / SIDE));
    return { start, end: Math.max(start + 1, Math.floor(((i + 1) * size) / SIDE)) };
  });
}

/** The cosine transform (DCT-II) of each line. */
function transformed(values: Float64Array, indexOf: (line: number, at: number) => number): Float64Array {
  const out = new Float64Array(SIDE * SIDE);
  for (let line = 0; line < SIDE; line++) {
    for (let frequency = 0; frequency < SIDE; frequency++) {
      let sum = 0;
      for (let at = 0; at < SIDE; at++) {
        sum += (values[indexOf(line, at)] ?? 0) * Math.cos((Math.PI / SIDE) * (at + 0.5) * frequency);
      }
      out[indexOf(line, frequency)] = sum;
    }
  }
  return out;
}
