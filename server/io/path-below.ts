/**
 * Joins a folder's absolute path and a path below it into the bytes that `node:fs` takes.
 * @param folder text as Node knows it, which may hold any character
 * @param path bytes (latin1); the folder itself where it is empty
 */
export function pathBelow(folder: string, path: string): Buffer {
  return path === '' ? Buffer.from(folder) : Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}
