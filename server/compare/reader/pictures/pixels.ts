import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { PictureFacts } from '../../../domain/comparison.ts';
import { pictureFacts } from '../../picture-size.ts';
import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';

/** Pixels as red, green, blue and alpha, a byte each, over white. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
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
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0);
  return { facts, pixels: { width, height, data: context.getImageData(0, 0, width, height).data } };
}

/** Draws pixels and packs them as PNG. */
export function encodePicture({ width, height, data }: Pixels): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(data);
  context.putImageData(image, 0, 0);
  return canvas.toBuffer('image/png');
}

/** The same picture in other sizes. */
export function scaled(
  { width, height, data }: Pixels,
  to: { readonly width: number; readonly height: number },
): Pixels {
  const source = createCanvas(width, height);
  const image = source.getContext('2d').createImageData(width, height);
  image.data.set(data);
  source.getContext('2d').putImageData(image, 0, 0);
  const context = createCanvas(to.width, to.height).getContext('2d');
  context.drawImage(source, 0, 0, to.width, to.height);
  return { ...to, data: context.getImageData(0, 0, to.width, to.height).data };
}

function refuseHuge({ width, height }: { readonly width: number; readonly height: number }): void {
  if (width * height <= LIMITS.pixels && Math.max(width, height) <= 30_000) return;
  throw new UnreadError('too_large', `the picture has ${width} × ${height} pixels, more than ${LIMITS.pixels}`);
}
