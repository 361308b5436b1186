import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { eventOfLine, streamPayload, type TimelineLine } from '../domain/event-wire.ts';
import { EVENT_NAMES, type ProjectEvent, STREAM_ONLY } from '../domain/events.ts';
import { readLog } from '../io/read-log.ts';
import type { SeqRecord } from './seq-log.ts';
import { keepTorn, moveAside, type OwnFile } from './set-aside.ts';
import { type StreamLimits, StreamLog } from './stream-log.ts';

export interface StreamSource {
  readonly file: OwnFile;
  /** The timeline, which is right: what the stream lacks of it is added, what it has besides is cut off. */
  readonly timeline: { readonly last: number; readAfter(seq: number): Iterable<SeqRecord> };
  readonly limits: StreamLimits;
  readonly now: () => number;
  /** Is told what was set aside. */
  readonly report: (what: string) => void;
}

export interface OpenedStream {
  readonly stream: StreamLog;
  /** True where lines of the timeline were missing: others that were sent may be, too. */
  readonly lacking: boolean;
}

/** Opens a project's stream.log and brings it into line with the timeline, which is written first. */
export function openStream({ file, timeline, limits, now, report }: StreamSource): OpenedStream {
  const path = join(file.root, file.name);
  if (isStrange(path)) report(`${file.name} was not a file of its own; moved to ${moveAside(file)}`);
  const cutFrom = firstUnknown(path, timeline.last);
  const onTorn = (bytes: Uint8Array): void =>
    report(`${file.name}: ${bytes.length} torn bytes; kept in ${keepTorn(file, bytes)}`);
  const place = { file: path, archive: join(file.state, 'stream') };
  const stream = new StreamLog(place, { limits, now, onTorn, ...(cutFrom === undefined ? {} : { cutFrom }) });
  if (stream.last >= timeline.last) return { stream, lacking: false };
  stream.append([...timeline.readAfter(stream.last)].map(recordOfLine));
  // Opened again, as opening makes durable.
  return { stream: new StreamLog(place, { limits, now }), lacking: true };
}

/** The stream's record of an event. */
export function streamRecord(event: ProjectEvent, at: { readonly seq: number; readonly ts: string }): SeqRecord {
  return { seq: at.seq, ts: at.ts, ...streamPayload(event) };
}

function recordOfLine(line: SeqRecord): SeqRecord {
  return streamRecord(eventOfLine(line as unknown as TimelineLine), line);
}

function isStrange(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isFile() || stat.nlink !== 1);
}

const STREAM_ONLY_NAMES: ReadonlySet<unknown> = new Set([...STREAM_ONLY].map((kind) => EVENT_NAMES[kind]));

/** Where the first event of the timeline is that the timeline has not: it was torn from there, and was never sent. */
function firstUnknown(path: string, lastKnown: number): number | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for (const { record, start } of readLog(fd)) {
      const known = record === undefined || Number(record.seq) <= lastKnown || STREAM_ONLY_NAMES.has(record.name);
      if (!known) return start;
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}
