import { createCanvas } from '@napi-rs/canvas';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { UnreadError } from '../../unread-error.ts';
import type { Pixels } from '../pictures/pixels.ts';

/** The longer side of a page's picture, in pixels: to look at, and to compare. */
export const PAGE_SIDES = { shown: 1_600, compared: 800 } as const;

/** Draws a page, from 1, on white. Throws UnreadError. */
export async function pagePicture(
  pdf: PDFDocumentProxy,
  { page: number, side }: { readonly page: number; readonly side: number },
): Promise<Pixels> {
  try {
    if (number > pdf.numPages)
      throw new UnreadError('binary', `there is no page ${number}: the PDF has ${pdf.numPages}`);
    const page = await pdf.getPage(number);
    const plain = page.getViewport({ scale: 1 });
    const scale = side / Math.max(plain.width, plain.height);
    const viewport = page.getViewport({ scale });
    const [width, height] = [Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height))];
    const context = createCanvas(width, height).getContext('2d');
    await page.render({ canvas: null, canvasContext: context, viewport, background: 'white' }).promise;
    page.cleanup();
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UnreadError) throw error;
    throw new UnreadError('damaged', `page ${number} cannot be drawn: ${error.message.slice(0, 200)}`, {
      cause: error,
    });
  }
}
