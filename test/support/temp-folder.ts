import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** A new folder, to be removed by who made it. */
export function tempFolder(parent = tmpdir()): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, 'devloop-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Gives a new folder to a test and removes it afterwards, whatever the test does. */
export async function inTempFolder<Result>(
  use: (folder: string) => Result | Promise<Result>,
  parent = tmpdir(),
): Promise<Result> {
  const folder = tempFolder(parent);
  try {
    return await use(folder.path);
  } finally {
    folder.remove();
  }
}

/** The same in memory where the system has such a place: waiting for a disk is most of what many small trees cost. */
export function inMemoryFolder<Result>(use: (folder: string) => Result | Promise<Result>): Promise<Result> {
  return inTempFolder(use, existsSync(MEMORY) ? MEMORY : tmpdir());
}
