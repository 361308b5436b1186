import { type BytePath, pathText } from '../domain/byte-path.ts';

/**
 * Makes the arguments that limit a git command to a file or to what is below a folder. Arguments are text: where a path is not,
 * each of its bytes beyond ASCII matches any one byte, so that the result may hold a little more than was asked for.
 */
export function pathspecs(path: BytePath | undefined): readonly string[] {
  if (path === undefined || path === '') return ['--'];
  const text = pathText(path);
  if (text.path_b64 === undefined) return ['--', `:(literal)${text.path}`];
  const pattern = path.replace(/[*?[\]\\]/g, '\\$&').replace(/[^\0-\x7f]/g, '?');
  return ['--', `:(glob)${pattern}`, `:(glob)${pattern}/**`];
}
