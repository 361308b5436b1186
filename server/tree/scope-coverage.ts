import type { BytePath } from '../domain/byte-path.ts';
import { inScope, mayHoldScope, type WriteScope } from '../domain/write-scope.ts';

/** Which paths a walk looks at; undefined stands for all of them. */
export type Reach = WriteScope | undefined;

/** True where everything that is or may come below a folder lies in the scope. */
export function coversFolder(folder: BytePath, scope: Reach): boolean {
  if (scope === undefined) return true;
  const segments = folder === '' ? [] : folder.split('/');
  return scope.some((pattern) => {
    const parts = pattern.split('/');
    const head = parts.slice(0, -1);
    return (
      parts.at(-1) === '**' &&
      head.length <= segments.length &&
      head.every((part, i) => part === '*' || part === segments[i])
    );
  });
}

/** What of a scope is to be asked below a folder: nothing where all lies in it. */
export function narrowed(folder: BytePath, scope: Reach): Reach {
  return coversFolder(folder, scope) ? undefined : scope;
}

/** True where a path, or something below it, can lie in the scope. */
export function reaches(path: BytePath, scope: Reach): boolean {
  return scope === undefined || inScope(path, scope) || mayHoldScope(path, scope);
}

export function holds(path: BytePath, scope: Reach): boolean {
  return scope === undefined || inScope(path, scope);
}
