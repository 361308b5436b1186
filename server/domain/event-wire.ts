import { EVENT_NAMES, type EventKind, type ProjectEvent } from './events.ts';

/** A line of timeline.ndjson as it is read; the payload's members are those of the event. */
export interface TimelineLine {
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
  /** Who caused it: loop, a role, user, … */
  readonly source: string;
  readonly kind: EventKind;
  readonly [payload: string]: unknown;
}

/** What goes on the stream: the name, and the payload under the stream's own names. */
export interface StreamPayload {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Renames = Readonly<Partial<Record<EventKind, Readonly<Record<string, string>>>>>;

/** Members that have another name on the timeline, as the line has a `source` of its own. */
const TIMELINE_NAMES: Renames = { agent_started: { source: 'decisions' } };

/** Members that have another name on the stream, where the event's kind is its name. */
const STREAM_NAMES: Renames = { git_committed: { commit: 'kind' }, git_failed: { commit: 'kind' } };

/** Members that the stream leaves out: `ref` is the beginning of `sha`. */
const NOT_ON_STREAM: Readonly<Partial<Record<EventKind, readonly string[]>>> = { git_committed: ['ref'] };

export function timelineLine(
  { kind, ...payload }: ProjectEvent,
  at: { readonly seq: number; readonly ts: string; readonly source: string },
): TimelineLine {
  return { seq: at.seq, ts: at.ts, source: at.source, kind, ...renamed(payload, TIMELINE_NAMES[kind]) };
}

/** The event of a timeline line, without what belongs to the line: seq, ts, source, pos. */
export function eventOfLine({ seq: _seq, ts: _ts, source: _source, pos: _pos, kind, ...payload }: TimelineLine) {
  return { kind, ...renamed(payload, inverse(TIMELINE_NAMES[kind])) } as ProjectEvent;
}

export function streamPayload({ kind, ...payload }: ProjectEvent): StreamPayload {
  const left = Object.entries(payload).filter(([name]) => NOT_ON_STREAM[kind]?.includes(name) !== true);
  return { name: EVENT_NAMES[kind], data: renamed(Object.fromEntries(left), STREAM_NAMES[kind]) };
}

function renamed(payload: object, names: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [names[name] ?? name, value]));
}

const inverse = (names: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([name, other]) => [other, name]));
