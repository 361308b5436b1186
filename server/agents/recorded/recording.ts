import { readFileSync } from 'node:fs';
import { hasCode } from '../../io/io-error.ts';
import { type CallFailure, failure } from '../driver.ts';
import {
  headerSchema,
  keyText,
  NO_SUM,
  openLine,
  type RecordedTurn,
  type RecordingHeader,
  type TurnKey,
  turnSchema,
} from './recording-lines.ts';

/** A recording read whole, its chain checked. */
export interface Recording {
  readonly kind: 'recording';
  /** How messages call it: never a path outside of the templates. */
  readonly name: string;
  readonly header: RecordingHeader;
  /** A call that was recorded twice is taken as it went the last time. */
  turn(key: TurnKey, turn: number): { readonly line: number; readonly turn: RecordedTurn } | undefined;
}

/** Reads a recording. A line that was changed, added, moved or taken out breaks the chain: the failure names the first one. */
export function readRecording(path: string, name: string): Recording | CallFailure {
  const text = textOf(path);
  if (text === undefined) return failure('not_started', `there is no recording ${name}`);
  const turns = new Map<string, { readonly line: number; readonly turn: RecordedTurn }>();
  let header: RecordingHeader | undefined;
  let sum = NO_SUM;
  for (const [i, line] of text.split('\n').slice(0, -1).entries()) {
    const opened = openLine(line, sum);
    const shape = (i === 0 ? headerSchema : turnSchema).safeParse(opened?.value);
    if (opened === undefined || !shape.success) return changed(`${name}:${i + 1}`, line);
    sum = opened.sum;
    if (i === 0) header = headerSchema.parse(shape.data);
    else {
      const turn = turnSchema.parse(shape.data);
      turns.set(keyText(keyOf(turn), turn.turn), { line: i + 1, turn });
    }
  }
  if (header === undefined || !text.endsWith('\n')) return failure('replay_diverged', `${name} is cut off`);
  return { kind: 'recording', name, header, turn: (key, turn) => turns.get(keyText(key, turn)) };
}

/** The header alone, unchecked, to find a recording by its requirement. */
export function readHeader(path: string): RecordingHeader | undefined {
  const first = textOf(path)?.split('\n', 1)[0];
  const opened = first === undefined ? undefined : openLine(first, NO_SUM);
  return headerSchema.safeParse(opened?.value).data;
}

function keyOf({ role, unit, round, attempt }: RecordedTurn): TurnKey {
  return { role, round, attempt, ...(unit === undefined ? {} : { unit }) };
}

/** Says what a line speaks of, as far as it still can be read. */
function changed(where: string, line: string): CallFailure {
  const role = /"role":"([a-z-]+)"/.exec(line)?.[1];
  const unit = /"unit":"([a-z0-9-]+)"/.exec(line)?.[1];
  const turn = /"turn":(\d+)/.exec(line)?.[1];
  const of = role === undefined ? '' : ` (${role}${unit === undefined ? '' : ` of ${unit}`}, turn ${turn ?? '?'})`;
  return failure(
    'replay_diverged',
    `${where}${of}: this line is not what was recorded: it, or a line before it, was changed`,
  );
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
    throw error;
  }
}
