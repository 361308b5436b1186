import { hash } from 'node:crypto';

/** A record of a log: at least one member, none of them named `sum`. */
export type LogRecord = Readonly<Record<string, unknown>>;

/** Bytes. A longer line counts as damaged and is never held in memory. */
export const MAX_LINE = 32 * 1024 * 1024;

const SUM = /,"sum":"([0-9a-f]{8})"\}$/;
const SUM_LENGTH = ',"sum":"01234567"}'.length;

/** The line of a record without its newline: its JSON with a last member `sum`, the first 8 hex digits of the sha256 of the JSON without it. */
export function logLine(record: LogRecord): string {
  const json = JSON.stringify(record);
  if (json === '{}' || 'sum' in record) throw new TypeError('a log record has members, and none named sum');
  return `${json.slice(0, -1)},"sum":"${checksum(json)}"}`;
}

/** Reads a line back, without `sum`; undefined where the line is not what was written. */
export function parseLogLine(line: string): LogRecord | undefined {
  const sum = SUM.exec(line)?.[1];
  if (sum === undefined) return undefined;
  const json = `${line.slice(0, -SUM_LENGTH)}}`;
  return checksum(json) === sum ? parseObject(json) : undefined;
}

/** The sum is no secret: somebody else's line can have the right one and still be no object. */
function parseObject(json: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LogRecord) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const checksum = (json: string): string => hash('sha256', json, 'hex').slice(0, 8);
