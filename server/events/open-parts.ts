import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger } from './ledger.ts';
import { openStream } from './open-stream.ts';
import { Sequence } from './sequence.ts';
import { moveAside } from './set-aside.ts';
import type { StreamLimits, StreamLog } from './stream-log.ts';

export interface PartsOptions {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** Absolute path of the server's own folder for the project. */
  readonly state: string;
  readonly limits: StreamLimits;
  /** Milliseconds. */
  readonly now: () => number;
  /** Is told what was set aside. */
  readonly report: (what: string) => void;
}

/** The files of one project's events, open and in line with each other. */
export interface Parts {
  readonly timeline: Ledger;
  readonly bugs: Ledger;
  readonly changelog: Ledger;
  readonly stream: StreamLog;
  readonly sequence: Sequence;
  /** No larger number was given out, as far as the files tell. */
  readonly last: number;
}

export const STREAM_FILE = 'stream.log';

export function openParts({ root, state, limits, now, report }: PartsOptions): Parts {
  const file = (name: string) => ({ name, root, state });
  const ledger = (name: string): Ledger => new Ledger(file(name), report);
  const timeline = ledger('timeline.ndjson');
  const { stream, lacking } = openStream({ file: file(STREAM_FILE), timeline, limits, now, report });
  const sequence = new Sequence(join(state, 'ledgers'));
  const last = Math.max(timeline.last, stream.last, lacking ? sequence.reserved : 0);
  return { timeline, bugs: ledger('bugs.ndjson'), changelog: ledger('changelog.ndjson'), stream, sequence, last };
}

/** Moves away what is in the place of stream.log. */
export function setStreamAside({ root, state, report }: Pick<PartsOptions, 'root' | 'state' | 'report'>): void {
  if (lstatSync(join(root, STREAM_FILE), { throwIfNoEntry: false }) === undefined) return;
  report(`${STREAM_FILE}: moved to ${moveAside({ name: STREAM_FILE, root, state })}`);
}
