import { type Pixels, scaled } from './pixels.ts';

const SIDE = 32;
const LOW = 8;

/**
 * 64 bits about a picture's coarse shapes in grey: which of the lowest 8 × 8 frequencies of its cosine transform at 32 × 32
 * are above their median. Blind to colour and to what is small.
 */
export function perceptualHash(pixels: Pixels): readonly boolean[] {
  const grey = greyOf(scaled(pixels, { width: SIDE, height: SIDE }).data);
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

/** Brightness of each pixel, 0 to 255 (ITU-R BT.601). */
function greyOf(data: Uint8ClampedArray): Float64Array {
  return Float64Array.from({ length: data.length / 4 }, (_, i) => {
    const [red = 0, green = 0, blue = 0] = data.subarray(i * 4, i * 4 + 3);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
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
