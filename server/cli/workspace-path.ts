import { relative, resolve, sep } from 'node:path';
import { type BytePath, bytePathFromText, type PathText, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';

/** A path that was typed in the folder of the call, relative to the workspace. Throws path_refused where it leads out. */
export function typedPath(text: string, at: { readonly cwd: string; readonly root: string }): BytePath {
  const path = relative(at.root, resolve(at.cwd, text));
  if (path !== '' && path !== '..' && !path.startsWith(`..${sep}`)) return bytePathFromText(path.split(sep).join('/'));
  throw new DevLoopError('path_refused', `${text} is not below ${at.root}`);
}

export function typedPaths(
  texts: readonly string[],
  at: { readonly cwd: string; readonly root: string },
): readonly PathText[] {
  return texts.map((text) => pathText(typedPath(text, at)));
}
