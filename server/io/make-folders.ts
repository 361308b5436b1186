import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './io-error.ts';

/**
 * Makes a folder and those above it that are absent; one that is there is fine.
 * `mkdir` with `recursive` calls a read-only file system ENOENT: here the error has the code that the system gave.
 */
export function makeFolders(path: string | Buffer, options: { readonly mode?: number } = {}): void {
  try {
    mkdirSync(path, { ...options, recursive: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) mkdirSync(firstAbsent(Buffer.from(path)), options);
    throw error;
  }
}

/** The uppermost folder that is not there: making it fails as the system says. */
function firstAbsent(path: Buffer): Buffer {
  const above = Buffer.from(dirname(path.toString('latin1')), 'latin1');
  return above.equals(path) || lstatSync(above, { throwIfNoEntry: false }) !== undefined ? path : firstAbsent(above);
}
