import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Absolute path of the system's Chromium. Throws where there is none. */
export function chromiumPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`this test needs one of ${NAMES.join(', ')} in PATH`);
  return found;
}
