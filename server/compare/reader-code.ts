import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = import.meta.dirname;

/** The program that reads documents, and the folders and files that it is made of: ours, and the libraries that it loads. */
export function readerCode(): { readonly main: string; readonly readable: readonly string[] } {
  const sources = realpathSync(dirname(HERE));
  const libraries = ['pdfjs-dist/package.json', '@napi-rs/canvas', 'pixelmatch', 'diff', 'saxes'].map((name) =>
    outermostModules(realpathSync(fileURLToPath(import.meta.resolve(name)))),
  );
  const main = join(sources, 'compare', 'reader', `main${extname(import.meta.filename)}`);
  const manifest = join(dirname(sources), 'package.json');
  return { main, readable: [...new Set([sources, manifest, ...modulesAbove(sources), ...libraries])] };
}

/** The folders in which a library is looked for, which may be links. */
function modulesAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  if (above === folder) return [];
  const modules = join(above, 'node_modules');
  return [...(existsSync(modules) ? [modules] : []), ...modulesAbove(above)];
}

/** The `node_modules` that all others of an installation are in: with some package managers a library's own lie beside it. */
function outermostModules(path: string): string {
  const segments = path.split(sep);
  const at = segments.indexOf('node_modules');
  return at < 0 ? dirname(path) : segments.slice(0, at + 1).join(sep);
}
