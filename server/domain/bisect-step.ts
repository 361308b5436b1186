export type BisectVerdict = 'good' | 'bad' | 'skipped';

/** What to do next: try a candidate, or stop with the first one that is bad. */
export type BisectStep =
  | { readonly kind: 'try'; readonly index: number }
  /** `unsure`: candidates right before it could not be judged, any of them may be the first. */
  | { readonly kind: 'found'; readonly index: number; readonly unsure: readonly number[] };

/**
 * Decides where to look next among candidates in the order of time, of which the last is known to be bad, and all before the
 * first are good. Halves what is left; next to one that could not be judged it tries the nearest other one.
 */
export function bisectStep(count: number, verdicts: ReadonlyMap<number, BisectVerdict>): BisectStep {
  const judged = (wanted: BisectVerdict): number[] =>
    [...verdicts].filter(([, verdict]) => verdict === wanted).map(([index]) => index);
  const bad = Math.min(count - 1, ...judged('bad'));
  const good = Math.max(-1, ...judged('good').filter((index) => index < bad));
  const between = Array.from({ length: bad - good - 1 }, (_, i) => good + 1 + i);
  const open = between.filter((index) => !verdicts.has(index));
  const middle = (good + bad) / 2;
  const [next] = open.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
  return next === undefined ? { kind: 'found', index: bad, unsure: between } : { kind: 'try', index: next };
}
