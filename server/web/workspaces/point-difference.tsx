import type { WorkspaceDiff } from '../api/types.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { PictureList } from '../pictures/picture-list.tsx';
import { asDiff } from './as-diff.ts';

export interface PointDifferenceProps {
  readonly ws: string;
  readonly point: string;
  readonly against: string;
  readonly diff: WorkspaceDiff;
}

/** What differs between two points, or a point and now: texts and documents by their lines, pictures as such. */
export function PointDifference({ diff, ...ends }: PointDifferenceProps) {
  const layout = innerWidth < 900 ? 'unified' : 'split';
  return (
    <>
      <DiffView {...asDiff(diff)} layout={layout} />
      <PictureList {...ends} files={diff.files} />
    </>
  );
}
