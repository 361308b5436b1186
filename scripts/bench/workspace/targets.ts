import type { SIZES } from './generate-workspace.ts';

/** What must not be exceeded: ratios to the pipeline's times, but for `none_ms`. */
export interface Targets {
  readonly first: number;
  readonly none?: number;
  /** Milliseconds. */
  readonly none_ms?: number;
  readonly '10 files': { readonly point: number; readonly restore: number };
  readonly '1 %': { readonly point: number; readonly restore: number };
  readonly preview: number;
  readonly together: number;
}

export const targetsOf = (size: keyof typeof SIZES, way: 'walk' | 'watched'): Targets => TARGETS[size][way];

const TARGETS = {
  S: {
    walk: {
      first: 0.35,
      none: 0.12,
      '10 files': { point: 0.13, restore: 0.05 },
      '1 %': { point: 0.2, restore: 0.11 },
      preview: 0.22,
      together: 0.15,
    },
    watched: {
      first: 0.35,
      none_ms: 2,
      '10 files': { point: 0.06, restore: 0.05 },
      '1 %': { point: 0.1, restore: 0.11 },
      preview: 0.05,
      together: 0.05,
    },
  },
  M: {
    walk: {
      first: 0.4,
      none: 0.24,
      '10 files': { point: 0.27, restore: 0.02 },
      '1 %': { point: 0.25, restore: 0.11 },
      preview: 0.28,
      together: 0.15,
    },
    watched: {
      first: 0.4,
      none_ms: 2,
      '10 files': { point: 0.025, restore: 0.02 },
      '1 %': { point: 0.1, restore: 0.11 },
      preview: 0.05,
      together: 0.05,
    },
  },
  L: {
    walk: {
      first: 0.4,
      none: 0.3,
      '10 files': { point: 0.26, restore: 0.01 },
      '1 %': { point: 0.22, restore: 0.11 },
      preview: 0.38,
      together: 0.15,
    },
    watched: {
      first: 0.4,
      none_ms: 15,
      '10 files': { point: 0.02, restore: 0.01 },
      '1 %': { point: 0.1, restore: 0.11 },
      preview: 0.12,
      together: 0.05,
    },
  },
} as const satisfies Record<keyof typeof SIZES, Record<'walk' | 'watched', Targets>>;
