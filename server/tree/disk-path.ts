import type { BytePath } from '../domain/byte-path.ts';

const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Joins a folder's absolute path and a path in bytes into what `node:fs` takes: text where all is ASCII, else bytes.
 * @param root text as Node knows it
 */
export function diskPath(root: string, path: BytePath | string): string | Buffer {
  if (path === '') return root;
  if (!NOT_ASCII.test(path)) return `${root}/${path}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}
