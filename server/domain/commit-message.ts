import type { CallRecord } from './agent-call.ts';
import type { Trailer } from './commit.ts';
import type { RunId, UnitId } from './ids.ts';
import type { Identity } from './roles.ts';

const LONGEST = 200;
/** Control characters, line and paragraph separators, and marks that turn the direction of text. */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Makes a given text fit for one line of a message: no control characters or line breaks, at most `longest` code points. */
export function cleanText(text: string, longest: number = LONGEST): string {
  const line = text.replace(UNFIT, ' ').replace(LONE_SURROGATE, '\ufffd').trim();
  return [...line.slice(0, 2 * longest)].slice(0, longest).join('').trim();
}

/** How a run is called in a message. */
export function shortRun(run: RunId): string {
  return run.slice(-12);
}

/** Ties a commit to the call that made its work. */
export function trailersOf(work: {
  readonly call: string;
  readonly unit?: UnitId;
  readonly attempt?: number;
  readonly record?: CallRecord;
  readonly helper?: Identity;
}): readonly Trailer[] {
  const { call, unit, attempt, record, helper } = work;
  return [
    { key: 'DevLoop-Call', value: call },
    ...(unit === undefined ? [] : [{ key: 'DevLoop-Unit', value: unit }]),
    ...(attempt === undefined ? [] : [{ key: 'DevLoop-Attempt', value: String(attempt) }]),
    ...(record === undefined ? [] : [{ key: 'DevLoop-Agent', value: agentText(record) }]),
    ...(helper === undefined ? [] : [{ key: 'Co-authored-by', value: `${helper.name} <${helper.email}>` }]),
  ];
}

/** Driver and model, and whether the decisions were replayed: `recorded (scripted)`, `model some-model`. */
export function agentText({ driver, model, source }: Pick<CallRecord, 'driver' | 'model' | 'source'>): string {
  const words = [driver, model, source === undefined ? undefined : `(${source})`];
  return cleanText(words.filter((word) => word !== undefined).join(' '));
}
