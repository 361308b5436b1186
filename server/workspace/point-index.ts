import { join } from 'node:path';
import { RefFolder } from '../git/ref-folder.ts';
import { PointCache } from './point-cache.ts';
import { POINT_REFS } from './point-ref.ts';

/** Which points there are, and what is remembered of them. */
export interface PointIndex {
  readonly refs: RefFolder;
  readonly cache: PointCache;
}

/** @param store absolute path; nothing is read before it is needed */
export function openPointIndex(store: string): PointIndex {
  return { refs: new RefFolder(join(store, 'vcs.git'), POINT_REFS), cache: new PointCache(store) };
}
