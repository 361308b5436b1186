import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { newHistoryKey, parseIdentities } from '../app-workspaces.ts';
import { DevLoopError } from '../domain/errors.ts';

/** Makes a key in a new file, never over another: a key that is lost opens nothing any more. @returns its recipient */
export async function makeKey(file: string): Promise<string> {
  const { identity, recipient } = await newHistoryKey();
  try {
    writeFileSync(file, `# recipient: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    throw new DevLoopError('conflict', `${file} cannot be made, or is there already`, { cause: error });
  }
  return recipient;
}

/** Reads the identities of a file. Throws bad_request, not_found, validation_failed. */
export function identitiesIn(file: string | undefined, cwd: string): readonly string[] {
  if (file === undefined) throw new DevLoopError('bad_request', 'A history is encrypted: say --identity FILE.');
  try {
    return parseIdentities(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (error) {
    if (error instanceof DevLoopError) throw error;
    throw new DevLoopError('not_found', `${file} cannot be read`, { cause: error });
  }
}
