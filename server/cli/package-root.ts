import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of the package that this file belongs to: it holds templates/. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
