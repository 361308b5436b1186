import type { PictureSide } from '../api/types.ts';

export const WAYS = ['beside', 'swipe', 'onion', 'difference'] as const;
export type Way = (typeof WAYS)[number];

export interface Layer {
  readonly side: PictureSide;
  /** How much shows through what lies on it, 0 to 1. */
  readonly alpha: number;
  /** The share of its width, from the left, that is drawn, 0 to 1. */
  readonly width: number;
}

/** What is drawn for a way of looking: a list of layers, the lowest first, for each drawing. */
export function layersOf(way: Way, share: number): readonly (readonly Layer[])[] {
  const [before, after, difference] = (['before', 'after', 'difference'] as const).map((side) => ({
    side,
    alpha: 1,
    width: 1,
  })) as [Layer, Layer, Layer];
  if (way === 'beside') return [[before], [after]];
  if (way === 'difference') return [[difference]];
  return [[before, way === 'swipe' ? { ...after, width: share } : { ...after, alpha: share }]];
}

/** The size of a drawing that holds all of its layers, in pixels. */
export function sizeOf(pictures: readonly { readonly width: number; readonly height: number }[]): {
  readonly width: number;
  readonly height: number;
} {
  return {
    width: Math.max(1, ...pictures.map(({ width }) => width)),
    height: Math.max(1, ...pictures.map(({ height }) => height)),
  };
}
