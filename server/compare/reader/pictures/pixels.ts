import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { PictureFacts } from '../../../domain/comparison.ts';
import { pictureFacts } from '../../picture-size.ts';
import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';

/** Pixels as red, green, blue and alpha, a byte each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  /** True where something below would shine through. */
  readonly transparent?: boolean;
}

/** Decodes a picture, of a moving one the first. Throws UnreadError. */
export async function decodePicture(bytes: Buffer): Promise<{ readonly facts: PictureFacts; readonly pixels: Pixels }> {
  const facts = pictureFacts(bytes);
  refuseHuge(facts);
  let image: Awaited<ReturnType<typeof loadImage>>;
  try {
    image = await loadImage(bytes);
  } catch (error) {
    throw new UnreadError('damaged', `the ${facts.format} picture cannot be decoded`, { cause: error });
  }
  const { width, height } = image;
  // What was decoded counts: a turned photo has its sides the other way round.
  refuseHuge({ width, height });
  if (width === 0 || height === 0) throw new UnreadError('damaged', `the ${facts.format} picture cannot be decoded`);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  // Frees what was drawn on: large pictures would not fit beside it.
  canvas.width = 1;
  return { facts, pixels: { width, height, data, transparent: isTransparent(data) } };
}

function isTransparent(data: Uint8ClampedArray): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

/** Draws pixels over white and packs them as PNG. */
export function encodePicture(pixels: Pixels): Buffer {
  const { width, height, data } = onto(pixels, 255);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(data);
  context.putImageData(image, 0, 0);
  return canvas.toBuffer('image/png');
}

/** The same over a grey, 0 to 255; itself where nothing shines through. */
export function onto({ transparent, ...pixels }: Pixels, grey: number): Pixels {
  if (!transparent) return pixels;
  const data = new Uint8ClampedArray(pixels.data.length).fill(255);
  for (let at = 0; at < data.length; at += 4) {
    const share = (pixels.data[at + 3] ?? 0) / 255;
    for (let i = at; i < at + 3; i++) data[i] = grey + ((pixels.data[i] ?? 0) - grey) * share;
  }
  return { ...pixels, data };
}

/** Throws UnreadError where there are more pixels than the limit. */
export function refuseHuge({ width, height }: { readonly width: number; readonly height: number }): void {
  if (width * height <= LIMITS.pixels && Math.max(width, height) <= 30_000) return;
  throw new UnreadError('too_large', `the picture has ${width} × ${height} pixels, more than ${LIMITS.pixels}`);
}
