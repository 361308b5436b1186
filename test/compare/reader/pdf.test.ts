import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../../../server/compare/reader/pdf/open-pdf.ts';
import { pagePicture } from '../../../server/compare/reader/pdf/page-picture.ts';
import { pdfDifference } from '../../../server/compare/reader/pdf/pdf-difference.ts';
import { changesOf } from '../../support/documents/changes-of.ts';
import { type PdfPage, pdfOf } from '../../support/documents/pdf-of.ts';

const difference = async (before: readonly PdfPage[] | undefined, after: readonly PdfPage[] | undefined) => {
  const finding = await pdfDifference(before && pdfOf(before), after && pdfOf(after));
  assert.ok(finding.kind === 'pdf');
  return finding;
};
const DISC = (colour: string): string => `${colour} rg 200 300 200 200 re f`;

test('a rendered page is not blank, and has what is on it where it is', async () => {
  const pdf = await openPdf(pdfOf([['Some words'], DISC('1 0 0')]));
  const dark = async (page: number) => {
    const { width, data } = await pagePicture(pdf, { page, side: 792 });
    const marked: { x: number; y: number }[] = [];
    for (let at = 0; at < data.length; at += 4) {
      if ((data[at + 1] ?? 0) < 128) marked.push({ x: (at / 4) % width, y: Math.floor(at / 4 / width) });
    }
    return marked;
  };
  const text = await dark(1);
  assert.ok(text.length > 60 && text.length < 5000, `${text.length} dark pixels`);
  assert.ok(text.every(({ x, y }) => x >= 70 && x < 200 && y > 50 && y < 90));
  const square = await dark(2);
  assert.ok(Math.abs(square.length - 40_000) < 1000, `${square.length} dark pixels`);
});

test('a word on a page is told with its page', async () => {
  const { sections, pages } = await difference([['first page'], ['the brown fox']], [['first page'], ['the red fox']]);
  assert.deepEqual(changesOf(sections), ['Page 2, page 2: the [-brown-]{+red+} fox']);
  assert.deepEqual(pages, { before: 2, after: 2 });
});

test('a line that comes and moves the others to the next page is the only difference', async () => {
  const lines = Array.from({ length: 80 }, (_, i) => [`Paragraph ${i} has its own words.`, '']).flat();
  const paged = (all: readonly string[]) => [0, 1, 2, 3, 4].map((page) => all.slice(page * 34, page * 34 + 34));
  const { sections } = await difference(paged(lines), paged(['A new one.', '', ...lines]));
  assert.deepEqual(changesOf(sections), ['Page 1, page 1: {+A new one.+}']);
});

test('lines that break elsewhere are no difference, across pages too', async () => {
  const { sections } = await difference(
    [['one two three', 'four five six seven'], ['eight']],
    [['one two', 'three four', 'five six'], ['seven eight']],
  );
  assert.deepEqual(changesOf(sections), []);
});

test('pages that come and go are told', async () => {
  const added = await difference([['one']], [['one'], ['two words']]);
  assert.deepEqual(changesOf(added.sections), ['Page 2, page 2: {+two words+}']);
  assert.deepEqual(changesOf((await difference(undefined, [['new']])).sections), ['Page 1, page 1: {+new+}']);
  assert.deepEqual(changesOf((await difference([['old']], undefined)).sections), ['Page 1, page 1: [-old-]']);
});

test('pages without text are compared as pictures', async () => {
  const { sections, pictures, not_compared } = await difference([DISC('1 0 0'), ['words']], [DISC('0 0 1'), ['words']]);
  assert.deepEqual(sections, []);
  const [page, ...others] = pictures;
  assert.deepEqual([page?.page, others], [1, []]);
  assert.ok(Math.abs((page?.difference?.changed_share ?? 0) - 40_000 / (612 * 792)) < 0.01);
  assert.doesNotMatch(not_compared.join(), /pictures on pages/);
});

test('where text differs, pages that have text are not drawn, and it says so', async () => {
  const { pictures, not_compared } = await difference([['a word'], DISC('1 0 0')], [['a term'], DISC('0 1 0')]);
  assert.deepEqual(
    pictures.map(({ page }) => page),
    [2],
  );
  assert.match(not_compared.join(), /pictures on pages that have text/);
});

test('500 pages, one word', async () => {
  const pages = Array.from({ length: 500 }, (_, i) => [`This is page ${i}`, '', `with a number of its own, ${i * 13}`]);
  const { sections } = await difference(
    pages,
    pages.with(432, ['This was page 432', '', 'with a number of its own, 5616']),
  );
  assert.deepEqual(changesOf(sections), ['Page 433, page 433: This [-is-]{+was+} page 432']);
});

test('comments, what forms are filled with, links and attached files are told', async () => {
  const withNotes = (word: string) =>
    pdfOf([['same words']], {
      page: '/Annots [1000 0 R 1001 0 R 1002 0 R]',
      catalog: `/Names << /EmbeddedFiles << /Names [(${word}.txt) 1003 0 R] >> >>`,
      objects: {
        1000: `<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (a ${word} remark) >>`,
        1001: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (${word}) /Rect [0 0 99 9] /DA (/F1 9 Tf) >>`,
        1002: `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://${word}.example/) >> >>`,
        1003: '<< /Type /Filespec /F (x) /EF << >> >>',
      },
    });
  const found = await pdfDifference(withNotes('old'), withNotes('new'));
  assert.ok(found.kind === 'pdf');
  assert.deepEqual(changesOf(found.sections), [
    'Comments, page 1: a [-old-]{+new+} remark',
    'Form fields, page 1 (form field): name: [-old-]{+new+}',
    'Links, page 1: http://[-old-]{+new+}.example/',
    'Attached files, attached: [-old-]{+new+}.txt',
  ]);
});

test('what was found is said before a page is drawn', async () => {
  const said: unknown[] = [];
  const found = await pdfDifference(pdfOf([DISC('1 0 0')]), pdfOf([DISC('0 0 1')]), (finding) => said.push(finding));
  assert.ok(found.kind === 'pdf' && found.pictures.length === 1);
  assert.deepEqual(said, [{ ...found, pictures: [], not_compared: [...found.not_compared, '1 pages as pictures'] }]);
});
