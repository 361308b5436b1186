import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';

const FILES = join(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json'))), '/');

/** Opens a PDF: no script of it runs, and nothing but the library's own fonts and tables is loaded. Throws UnreadError. */
export async function openPdf(bytes: Buffer): Promise<PDFDocumentProxy> {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: LIMITS.pixels,
    enableXfa: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    disableAutoFetch: true,
    disableStream: true,
    disableRange: true,
    standardFontDataUrl: `${FILES}standard_fonts/`,
    cMapUrl: `${FILES}cmaps/`,
    cMapPacked: true,
    wasmUrl: `${FILES}wasm/`,
    iccUrl: `${FILES}iccs/`,
  });
  try {
    return await task.promise;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'PasswordException')
      throw new UnreadError('encrypted', 'the PDF has a password', { cause: error });
    throw new UnreadError('damaged', `the PDF cannot be read: ${error.message.slice(0, 200)}`, { cause: error });
  }
}
