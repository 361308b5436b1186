import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { hasCode } from '../io/io-error.ts';
import { type LogEntry, readLog } from '../io/read-log.ts';

/** Reads a log's whole lines, undefined for a damaged one, and changes nothing; none where the file is absent. */
export function readLines(path: string): readonly LogEntry['record'][] {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return Array.from(readLog(fd, { to: fstatSync(fd).size }), ({ record }) => record);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
