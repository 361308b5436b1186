// Builds the page into dist/web, or where the first argument says; nothing is done where it is there and its sources have not changed.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'server', 'web');

/** Makes the page's files in a folder. What was in it is replaced whole, when everything else is done. */
export async function buildPage(folder: string): Promise<void> {
  const { build } = await import('vite');
  const fresh = `${folder}.new-${process.pid}`;
  await build({
    configFile: false,
    root: SOURCES,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: fresh,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
  writeFileSync(join(fresh, STAMP), sourceDigest());
  mkdirSync(dirname(folder), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** Not served: its name begins with a dot. */
const STAMP = '.sources';

function isCurrent(folder: string): boolean {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest();
}

function sourceDigest(): string {
  const files = globSync('**/*.{ts,tsx,css,html,svg}', { cwd: SOURCES }).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(SOURCES, file)));
  for (const file of [import.meta.filename, join(ROOT, 'package-lock.json')]) hash.update(readFileSync(file));
  return hash.digest('hex');
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist', 'web'));
  if (!isCurrent(folder)) await buildPage(folder);
}
