import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DevLoopError } from '../domain/errors.ts';
import { packageRoot } from './package-root.ts';

/** Absolute path of the recording that was asked for; the embedded one where none was. */
export function recordingFile(cwd: string, asked: string | undefined): string {
  return asked === undefined
    ? join(packageRoot(), 'templates', 'demo', 'todo', 'recording.ndjson')
    : resolve(cwd, asked);
}

/** The requirement that a recording answers: it is in the first line. */
export async function requirementOf(file: string): Promise<string> {
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      const header: unknown = JSON.parse(line);
      if (
        typeof header === 'object' &&
        header !== null &&
        'requirement' in header &&
        typeof header.requirement === 'string'
      ) {
        return header.requirement;
      }
      break;
    }
  } catch (error) {
    throw new DevLoopError('not_found', `${file} cannot be read as a recording.`, { cause: error });
  } finally {
    input.destroy();
  }
  throw new DevLoopError('bad_request', `The first line of ${file} names no requirement.`);
}
