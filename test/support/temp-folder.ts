import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, to be removed by who made it. */
export function tempFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'devloop-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Gives a new folder to a test and removes it afterwards, whatever the test does. */
export async function inTempFolder<Result>(use: (folder: string) => Result | Promise<Result>): Promise<Result> {
  const folder = tempFolder();
  try {
    return await use(folder.path);
  } finally {
    folder.remove();
  }
}
