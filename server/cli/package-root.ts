import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of the package that this file belongs to: it holds templates/. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Absolute path of the page's files; undefined where it was not built. `devloop serve` in a checkout builds it first. */
export function pageFolder(): string | undefined {
  const folder = join(packageRoot(), 'dist', 'web');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
