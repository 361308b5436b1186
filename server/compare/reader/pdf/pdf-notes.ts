import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { SectionDifference } from '../../../domain/comparison.ts';
import { UnreadError } from '../../unread-error.ts';
import { blockDifferences } from '../difference/block-differences.ts';
import { type Block, Budget } from '../documents/document.ts';

/** What a PDF has beside the text of its pages. */
export interface PdfNotes {
  readonly comments: readonly Block[];
  readonly fields: readonly Block[];
  readonly links: readonly Block[];
  readonly attachments: readonly Block[];
}

/** Of one page. */
const MOST_NOTES = 20_000;

/** Reads the comments, what forms are filled with, where links lead, and the names of attached files. Throws UnreadError. */
export async function pdfNotes(pdf: PDFDocumentProxy): Promise<PdfNotes> {
  const notes = { comments: [] as Block[], fields: [] as Block[], links: [] as Block[], attachments: [] as Block[] };
  const budget = new Budget();
  const put = (list: keyof typeof notes, block: Block): void => {
    const text = block.text.trim().slice(0, 100_000);
    if (text === '') return;
    budget.take(text);
    notes[list].push({ ...block, text });
  };
  try {
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const found: readonly unknown[] = await page.getAnnotations();
      for (const note of found.slice(0, MOST_NOTES)) takeNote(note, `page ${number}`, put);
      page.cleanup();
    }
    for (const name of (await pdf.getAttachments())?.keys() ?? []) put('attachments', { text: name, at: 'attached' });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UnreadError) throw error;
    throw new UnreadError('damaged', `what is beside its pages cannot be read: ${error.message.slice(0, 200)}`, {
      cause: error,
    });
  }
  return notes;
}

/** The library has no types of what a document says here. */
function takeNote(note: unknown, at: string, put: (list: keyof PdfNotes, block: Block) => void): void {
  const kind = stringOf(note, 'subtype');
  if (kind === 'Link') put('links', { text: stringOf(note, 'unsafeUrl') || stringOf(note, 'url'), at });
  else if (kind === 'Widget') {
    const value = stringOf(note, 'fieldValue');
    if (value !== '') put('fields', { text: `${stringOf(note, 'fieldName')}: ${value}`, style: 'form field', at });
  } else if (kind !== 'Popup') put('comments', { text: stringOf(memberOf(note, 'contentsObj'), 'str'), at });
}

function memberOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && name in value ? value[name as keyof typeof value] : undefined;
}

function stringOf(value: unknown, name: string): string {
  const found = memberOf(value, name);
  const all: readonly unknown[] = Array.isArray(found) ? found : [found];
  return all.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).join(', ');
}

const NAMES = [
  ['comments', 'Comments'],
  ['fields', 'Form fields'],
  ['links', 'Links'],
  ['attachments', 'Attached files'],
] as const;

/** What of it differs, a section for each kind. */
export function noteDifferences(
  before: PdfNotes | undefined,
  after: PdfNotes | undefined,
): readonly SectionDifference[] {
  return NAMES.flatMap(([kind, name]) => {
    const [old, now] = [before?.[kind] ?? [], after?.[kind] ?? []];
    const blocks = blockDifferences(old, now);
    if (blocks.every(({ change }) => change === 'same')) return [];
    const change = old.length === 0 ? 'added' : now.length === 0 ? 'deleted' : 'changed';
    return [{ kind, name, change, blocks }];
  });
}
