/** Figures as people read them. `language` is a BCP 47 tag. */
export interface Format {
  /** A moment: the time of day where it is today, else the date too. */
  readonly moment: (ts: string, now?: Date) => string;
  readonly wholeMoment: (ts: string) => string;
  readonly count: (value: number) => string;
  /** US dollars. */
  readonly cost: (value: number) => string;
}

export function formatFor(language: string): Format {
  const time = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const whole = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  const number = new Intl.NumberFormat(language);
  const money = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
  return {
    moment: (ts, now = new Date()) => {
      const at = new Date(ts);
      if (Number.isNaN(at.getTime())) return ts;
      return date.format(at) === date.format(now) ? time.format(at) : `${date.format(at)} ${time.format(at)}`;
    },
    wholeMoment: (ts) => (Number.isNaN(Date.parse(ts)) ? ts : whole.format(new Date(ts))),
    count: (value) => number.format(value),
    cost: (value) => money.format(value),
  };
}

/** Milliseconds as `431 ms`, `2.4 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(seconds / 3_600)} h ${String(Math.floor((seconds % 3_600) / 60)).padStart(2, '0')} min`;
}

/** Bytes as `512 B`, `1.5 kB`, `3.2 MB`. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  for (const [unit, worth] of [
    ['kB', 1e3],
    ['MB', 1e6],
    ['GB', 1e9],
  ] as const) {
    if (size < worth * 1_000) return `${(size / worth).toFixed(size < worth * 10 ? 1 : 0)} ${unit}`;
  }
  return `${(size / 1e12).toFixed(1)} TB`;
}

/** The first seven digits of a commit's id. */
export const short = (sha: string): string => sha.slice(0, 7);
