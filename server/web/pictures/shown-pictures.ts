import type { WorkspaceDiff } from '../api/types.ts';

type File = WorkspaceDiff['files'][number];

/** A picture, or a page that was compared as one, of which there are two sides. */
export interface ShownPicture {
  readonly file: File;
  /** Of a document, from 1. */
  readonly page?: number;
}

/** What of a difference can be looked at as pictures. */
export function shownPictures(files: readonly File[]): readonly ShownPicture[] {
  return files.flatMap((file): readonly ShownPicture[] => {
    const { comparison } = file;
    if (comparison?.kind === 'image') return comparison.difference === undefined ? [] : [{ file }];
    if (comparison?.kind !== 'pdf') return [];
    return comparison.pictures.flatMap(({ page, difference }) => (difference === undefined ? [] : [{ file, page }]));
  });
}
