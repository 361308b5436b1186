import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Finding, PageDifference } from '../../../domain/comparison.ts';
import { pageDifferences } from '../difference/page-differences.ts';
import { shownSections } from '../difference/shown-sections.ts';
import type { Block } from '../documents/document.ts';
import { LIMITS } from '../limits.ts';
import { openPdf } from './open-pdf.ts';
import { PAGE_SIDES, pagePicture } from './page-picture.ts';
import { pdfText } from './page-text.ts';
import { noteDifferences, pdfNotes } from './pdf-notes.ts';

/** No page is begun after it; milliseconds. */
const DRAWING_MS = 10_000;

/**
 * Compares the text of two PDFs with comments, forms and links, and as pictures the pages that have none, or all where no text
 * differs. @param early gets what was found before any page is drawn: that may take longer than there is time
 */
export async function pdfDifference(
  before: Buffer | undefined,
  after: Buffer | undefined,
  early: (finding: Finding) => void = () => {},
): Promise<Finding> {
  const [old, now] = [before && (await openPdf(before)), after && (await openPdf(after))];
  const [text, newText] = [old ? await pdfText(old) : [], now ? await pdfText(now) : []];
  const texts = pageDifferences(text, newText);
  const notes = noteDifferences(old && (await pdfNotes(old)), now && (await pdfNotes(now)));
  const shown = shownSections([...texts, ...notes]);
  const pages = { ...(old && { before: old.numPages }), ...(now && { after: now.numPages }) };
  const wanted =
    old && now
      ? pagesToDraw([text, newText], { all: texts.length === 0, last: Math.max(old.numPages, now.numPages) })
      : [];
  const findingOf = ({ pictures, left }: Drawn): Finding => ({
    kind: 'pdf',
    pages,
    ...shown,
    pictures,
    not_compared: [
      'formatting, looks of annotations and forms, contents of attached files',
      ...(texts.length > 0 ? ['pictures on pages that have text'] : []),
      ...(left > 0 ? [`${left} pages as pictures`] : []),
    ],
  });
  if (!old || !now || wanted.length === 0) return findingOf({ pictures: [], left: 0 });
  early(findingOf({ pictures: [], left: wanted.length }));
  return findingOf(await drawnPages(old, now, wanted));
}

interface Drawn {
  readonly pictures: readonly PageDifference[];
  readonly left: number;
}

function pagesToDraw(
  texts: readonly (readonly Block[])[],
  { all, last }: { readonly all: boolean; readonly last: number },
): readonly number[] {
  const withText = new Set(texts.flatMap((blocks) => blocks.map(({ at }) => at)));
  return Array.from({ length: last }, (_, i) => i + 1).filter((page) => all || !withText.has(`page ${page}`));
}

async function drawnPages(old: PDFDocumentProxy, now: PDFDocumentProxy, pages: readonly number[]): Promise<Drawn> {
  // With the pages come those pictures only: a page that is the same tells nothing.
  const pictures: PageDifference[] = [];
  const { pictureDifference } = await import('../pictures/picture-difference.ts');
  const end = performance.now() + DRAWING_MS;
  let drawn = 0;
  for (const page of pages.slice(0, LIMITS.pictured_pages)) {
    if (performance.now() > end) break;
    drawn++;
    if (page > old.numPages || page > now.numPages) {
      pictures.push({ page, only: page > old.numPages ? 'after' : 'before' });
      continue;
    }
    const [was, is] = [
      await pagePicture(old, { page, side: PAGE_SIDES.compared }),
      await pagePicture(now, { page, side: PAGE_SIDES.compared }),
    ];
    const { picture: _, ...difference } = pictureDifference(was, is);
    if (difference.changed_share > 0 || difference.padded || difference.colour_change > 0)
      pictures.push({ page, difference });
  }
  return { pictures, left: pages.length - drawn };
}
