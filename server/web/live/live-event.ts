/** An event of a project, as timeline.ndjson has it: the stream's form is brought to this one. */
export interface LiveEvent {
  readonly seq: number;
  readonly ts: string;
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** An event of the stream in the timeline's form: `agent.started` is `agent_started`, and two members have the timeline's names. */
export function ofStream(id: string, name: string, data: string): LiveEvent {
  const { kind: commit, source, ...members } = JSON.parse(data) as Readonly<Record<string, unknown>>;
  return {
    ...members,
    ...(commit === undefined ? {} : { commit }),
    ...(source === undefined ? {} : { decisions: source }),
    ts: String(members.ts ?? ''),
    seq: Number(id),
    kind: name.replaceAll('.', '_'),
  };
}

/** A member that is text; empty where it is not there. */
export const textIn = (event: LiveEvent, name: string): string => {
  const value = event[name];
  return typeof value === 'string' ? value : '';
};

/** A member that is a number. */
export const numberIn = (event: LiveEvent, name: string): number | undefined => {
  const value = event[name];
  return typeof value === 'number' ? value : undefined;
};
