import type { WorkspaceDiff } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { PictureDifference } from './picture-difference.tsx';
import { shownPictures } from './shown-pictures.ts';

export interface PictureListProps {
  readonly ws: string;
  readonly point: string;
  readonly against: string;
  readonly files: WorkspaceDiff['files'];
}

/** The pictures of a difference that have two sides, each to be looked at in four ways. */
export function PictureList({ files, ...ends }: PictureListProps) {
  const pictures = shownPictures(files);
  if (pictures.length === 0) return null;
  return (
    <section>
      <h2>{t('picture.title')}</h2>
      {pictures.map((shown) => (
        <PictureDifference key={`${shown.page} ${shown.file.path}`} {...ends} {...shown} />
      ))}
    </section>
  );
}
