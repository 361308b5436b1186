import type { PathText } from '../domain/byte-path.ts';
import type { Point } from '../domain/point.ts';
import type { LargeFile } from './objects/large-objects.ts';

/** What a point refers to beside the repository, each with the path that it belongs to. */
export function objectsOf({ large, nested }: Pick<Point, 'large' | 'nested'>): readonly (LargeFile & PathText)[] {
  const histories = nested.flatMap(({ history, path }) =>
    history === undefined ? [] : [{ ...history, path: `the git history of ${path === '' ? '.' : path}` }],
  );
  return [...large, ...histories];
}
