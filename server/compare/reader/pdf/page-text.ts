import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { UnreadError } from '../../unread-error.ts';
import { type Block, Budget } from '../documents/document.ts';
import { LIMITS } from '../limits.ts';

/** The paragraphs of a PDF, page after page; `at` is `page N`. Throws UnreadError. */
export async function pdfText(pdf: PDFDocumentProxy): Promise<readonly Block[]> {
  if (pdf.numPages > LIMITS.pages)
    throw new UnreadError('too_many', `the PDF has ${pdf.numPages} pages, more than ${LIMITS.pages}`);
  const budget = new Budget();
  const blocks: Block[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    for (const text of await pageParagraphs(pdf, number)) {
      budget.take(text);
      blocks.push({ text, at: `page ${number}` });
    }
  }
  return blocks;
}

async function pageParagraphs(pdf: PDFDocumentProxy, number: number): Promise<readonly string[]> {
  let page: PDFPageProxy | undefined;
  try {
    page = await pdf.getPage(number);
    return paragraphsOf(linesOf((await page.getTextContent()).items.filter((item) => 'str' in item)));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UnreadError('damaged', `page ${number} cannot be read: ${error.message.slice(0, 200)}`, { cause: error });
  } finally {
    page?.cleanup();
  }
}

type TextItem = Extract<Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'][number], { readonly str: string }>;

interface Line {
  readonly text: string;
  /** Of its base line, in points from below. */
  readonly y: number;
  readonly height: number;
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: Line[] = [];
  let text = '';
  let at: TextItem | undefined;
  const end = (): void => {
    if (at !== undefined && text.trim() !== '')
      lines.push({ text: text.trim(), y: at.transform[5] ?? 0, height: at.height });
    text = '';
    at = undefined;
  };
  for (const item of items) {
    if (at !== undefined && Math.abs((item.transform[5] ?? 0) - (at.transform[5] ?? 0)) > Math.max(1, at.height / 2))
      end();
    text += item.str;
    if (item.str.trim() !== '') at ??= item;
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

/** More than so many times its height between two lines begins a paragraph. */
const GAP = 1.7;

/** Lines in a row at an even distance and of one size are a paragraph; a word that is broken at a hyphen stays together. */
function paragraphsOf(lines: readonly Line[]): readonly string[] {
  const paragraphs: string[] = [];
  lines.forEach(({ text, y, height }, at) => {
    const last = lines[at - 1];
    const gap = last === undefined ? 0 : last.y - y;
    const goesOn =
      last !== undefined &&
      gap > 0 &&
      gap <= GAP * Math.max(height, 1) &&
      Math.abs(last.height - height) <= 0.15 * Math.max(height, 1);
    const before = goesOn ? paragraphs.pop() : undefined;
    if (before === undefined) paragraphs.push(text);
    else paragraphs.push(before.endsWith('-') ? before + text : `${before} ${text}`);
  });
  return paragraphs;
}
