import pixelmatch from 'pixelmatch';
import type { PictureDifference } from '../../../domain/comparison.ts';
import { hashDistance, perceptualHash } from './perceptual-hash.ts';
import { onto, type Pixels, refuseHuge } from './pixels.ts';

/** How far a colour may be off before its pixel counts as changed, 0 to 1: noise of compression does not. */
const THRESHOLD = 0.1;

type Found = PictureDifference & { readonly picture: Pixels };

/**
 * Compares two pictures pixel by pixel; the smaller one is padded with white at the right and below. Transparent ones are
 * compared over white and over black, and what differs more counts: white on nothing is not seen over white.
 * Throws UnreadError.
 */
export function pictureDifference(before: Pixels, after: Pixels): Found {
  const light = differenceOf(onto(before, 255), onto(after, 255));
  if (!before.transparent && !after.transparent) return light;
  const dark = differenceOf(onto(before, 0), onto(after, 0));
  return dark.changed_share > light.changed_share ? dark : light;
}

function differenceOf(before: Pixels, after: Pixels): Found {
  const size = { width: Math.max(before.width, after.width), height: Math.max(before.height, after.height) };
  refuseHuge(size);
  const [old, now] = [padded(before, size), padded(after, size)];
  const data = new Uint8ClampedArray(old.length);
  const changed = pixelmatch(old, now, data, size.width, size.height, { threshold: THRESHOLD });
  const overlap = Math.min(before.width, after.width) * Math.min(before.height, after.height);
  const beyond = markBeyond(data, { before, after, ...size });
  const all = size.width * size.height;
  return {
    changed_share: Math.min(1, (changed + beyond) / all),
    colour_change: colourChange(old, now),
    hash_distance: hashDistance(perceptualHash(before), perceptualHash(after)),
    padded: overlap !== all,
    picture: { ...size, data },
  };
}

function padded(
  { width, height, data }: Pixels,
  to: { readonly width: number; readonly height: number },
): Uint8ClampedArray {
  if (width === to.width && height === to.height) return data;
  const out = new Uint8ClampedArray(to.width * to.height * 4).fill(255);
  for (let y = 0; y < height; y++) out.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * to.width * 4);
  return out;
}

interface Sides {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly width: number;
  readonly height: number;
}

const RED = [255, 0, 0] as const;

/** What only one picture has is changed, whatever its colour. Returns how many pixels of it were not marked yet. */
function markBeyond(data: Uint8ClampedArray, { before, after, width, height }: Sides): number {
  let marked = 0;
  const [right, bottom] = [Math.min(before.width, after.width), Math.min(before.height, after.height)];
  for (let y = 0; y < height; y++) {
    for (let x = y < bottom ? right : 0; x < width; x++) {
      const at = (y * width + x) * 4;
      if (data[at] === RED[0] && data[at + 1] === RED[1] && data[at + 2] === RED[2]) continue;
      data.set([...RED, 255], at);
      marked++;
    }
  }
  return marked;
}

function colourChange(old: Uint8ClampedArray, now: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < old.length; i += 4) {
    sum += Math.abs((old[i] ?? 0) - (now[i] ?? 0));
    sum += Math.abs((old[i + 1] ?? 0) - (now[i + 1] ?? 0));
    sum += Math.abs((old[i + 2] ?? 0) - (now[i + 2] ?? 0));
  }
  return sum / (255 * 3 * (old.length / 4));
}
