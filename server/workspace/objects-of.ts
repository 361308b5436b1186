import type { PathText } from '../domain/byte-path.ts';
import type { Point } from '../domain/point.ts';
import type { LargeFile } from './objects/large-objects.ts';

/** What a point refers to beside the repository, each with the path that it belongs to. */
export function objectsOf({ large }: Pick<Point, 'large'>): readonly (LargeFile & PathText)[] {
  return large;
}
