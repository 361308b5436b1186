export interface Clock {
  now(): Date;
}

/** The machine's clock; it may jump, so durations are taken from `performance.now()`. */
export const systemClock: Clock = { now: () => new Date() };
