import { DevLoopError } from '../domain/errors.ts';
import type { LoopEvent } from '../domain/loop-event.ts';

/** A line of the journal. */
export interface JournalRecord {
  readonly schema: 1;
  readonly event: LoopEvent;
}

export function journalRecord(event: LoopEvent): JournalRecord {
  return { schema: 1, event };
}

/** Reads a record. The journal is the server's own and carries checksums: its shape is looked at, not every member. */
export function eventOfRecord(record: unknown, position: number): LoopEvent {
  if (isRecord(record)) return record.event;
  throw new DevLoopError('journal_damaged', `record ${position} of the journal is none of this version's`, {
    data: { position },
  });
}

function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null || !('schema' in value) || value.schema !== 1) return false;
  if (!('event' in value) || typeof value.event !== 'object' || value.event === null) return false;
  const { event } = value;
  return 'kind' in event && typeof event.kind === 'string' && 'at' in event && typeof event.at === 'string';
}
