import { readFileSync } from 'node:fs';
import type { Finding } from '../../domain/comparison.ts';
import { documentDifference } from './difference/document-difference.ts';
import { readDocument } from './documents/read-document.ts';
import type { ReadRequest } from './requests.ts';

/** Compares what is in the files of a request. Throws UnreadError. @param early gets what is known before the slow part of it */
export async function findDifference(
  { kind, ...files }: ReadRequest,
  early: (finding: Finding) => void,
): Promise<Finding> {
  const [before, after] = [files.before, files.after].map((name) =>
    name === undefined ? undefined : readFileSync(name),
  );
  switch (kind) {
    case 'document':
      return documentDifference(before && readDocument(before), after && readDocument(after));
    case 'pdf':
      return (await import('./pdf/pdf-difference.ts')).pdfDifference(before, after, early);
    case 'picture':
      return imageDifference(before, after);
  }
}

async function imageDifference(before: Buffer | undefined, after: Buffer | undefined): Promise<Finding> {
  const { decodePicture } = await import('./pictures/pixels.ts');
  const [old, now] = [before && (await decodePicture(before)), after && (await decodePicture(after))];
  const pictures = { ...(old && { before: old.facts }), ...(now && { after: now.facts }) };
  const not_compared = ['metadata and colour profiles', 'further pictures of an animation'];
  if (!old || !now) return { kind: 'image', pictures, not_compared };
  const { pictureDifference } = await import('./pictures/picture-difference.ts');
  const { picture: _, ...difference } = pictureDifference(old.pixels, now.pixels);
  return { kind: 'image', pictures, difference, not_compared };
}

/** Draws what a request asks for, as PNG. Throws UnreadError. */
export async function drawPicture(request: ReadRequest): Promise<Buffer> {
  const { decodePicture, encodePicture } = await import('./pictures/pixels.ts');
  const draw = async (name: string | undefined) => {
    if (name === undefined) throw new TypeError('no file was given');
    const bytes = readFileSync(name);
    if (request.kind === 'picture') return (await decodePicture(bytes)).pixels;
    const [{ openPdf }, { PAGE_SIDES, pagePicture }] = await Promise.all([
      import('./pdf/open-pdf.ts'),
      import('./pdf/page-picture.ts'),
    ]);
    return pagePicture(await openPdf(bytes), { page: request.page ?? 1, side: PAGE_SIDES.shown });
  };
  if (request.show !== 'difference')
    return encodePicture(await draw(request.show === 'before' ? request.before : request.after));
  const { pictureDifference } = await import('./pictures/picture-difference.ts');
  return encodePicture(pictureDifference(await draw(request.before), await draw(request.after)).picture);
}
