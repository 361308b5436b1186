import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Makes an empty folder that is removed after the test; its absolute, resolved path. */
export function scratchFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devloop-test-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
