import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PictureSide } from '../api/types.ts';
import { type Layer, sizeOf } from './layers.ts';

export interface CanvasProps {
  readonly layers: readonly Layer[];
  readonly pictures: ReadonlyMap<PictureSide, ImageBitmap>;
  readonly label: string;
}

/** Draws pictures over one another. They are pixels by then: nothing of a file is ever an address, a style or markup here. */
export function Canvas({ layers, pictures, label }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = layers.flatMap((layer) => {
    const picture = pictures.get(layer.side);
    return picture === undefined ? [] : [{ ...layer, picture }];
  });
  const { width, height } = sizeOf(drawn.map(({ picture }) => picture));
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, width, height);
    for (const { picture, alpha, width: share } of drawn) {
      const shown = Math.round(picture.width * share);
      context.globalAlpha = alpha;
      if (shown > 0) context.drawImage(picture, 0, 0, shown, picture.height, 0, 0, shown, picture.height);
    }
  });
  return <canvas ref={canvas} role="img" aria-label={label} width={width} height={height} />;
}
