import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentDifference } from '../../../server/compare/reader/difference/document-difference.ts';
import { readDocument } from '../../../server/compare/reader/documents/read-document.ts';
import { changesOf } from '../../support/documents/changes-of.ts';
import { beside, docxOf, paragraph, run, table } from '../../support/documents/docx-of.ts';
import { cell, odfOf, p, page, row, sheet } from '../../support/documents/odf-of.ts';
import { pptxOf } from '../../support/documents/pptx-of.ts';
import { xlsxOf } from '../../support/documents/xlsx-of.ts';

/** A document before and after an edit, and what of it is told. */
type Case = readonly [claim: string, before: Buffer | undefined, after: Buffer | undefined, changes: readonly string[]];

const rtf = (text: string): Buffer =>
  Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Times;}{\\f1\\fcharset134 SimSun;}}${text}}`, 'latin1');
const text = (...paragraphs: readonly string[]): Buffer => odfOf('text', paragraphs.map(p).join(''));
const slides = {
  one: { title: 'One' },
  two: { title: 'Two', texts: ['second'] },
  three: { title: 'Three', texts: ['third point'] },
};
const long = Array.from(
  { length: 500 },
  (_, i) => `Paragraph ${i} of a long document, with words of its own: ${i * 7}.`,
);

const CASES: readonly Case[] = [
  ['docx: a word', docxOf(['A brown fox.']), docxOf(['A red fox.']), ['Body, paragraph 1: A [-brown-]{+red+} fox.']],
  [
    'docx: words in a row are one change',
    docxOf(['the blue bus stops']),
    docxOf(['the red car stops']),
    ['Body, paragraph 1: the [-blue bus-]{+red car+} stops'],
  ],
  [
    'docx: Chinese by the character',
    docxOf(['收入增长百分之十']),
    docxOf(['收入下降百分之十']),
    ['Body, paragraph 1: 收入[-增长-]{+下降+}百分之十'],
  ],
  [
    'docx: right to left',
    docxOf(['مرحبا بالعالم الكبير']),
    docxOf(['مرحبا بالعالم الصغير']),
    ['Body, paragraph 1: مرحبا بالعالم [-الكبير-]{+الصغير+}'],
  ],
  [
    'docx: a paragraph that comes moves none',
    docxOf(['one', 'three']),
    docxOf(['one', 'two', 'three']),
    ['Body, paragraph 2: {+two+}'],
  ],
  [
    'docx: one of paragraphs that repeat',
    docxOf(['again', 'again', 'again']),
    docxOf(['once', 'again', 'again']),
    ['Body, paragraph 1: [-again-]{+once+}'],
  ],
  [
    'docx: a paragraph that goes',
    docxOf(['one', 'two', 'three']),
    docxOf(['one', 'three']),
    ['Body, paragraph 2: [-two-]'],
  ],
  [
    'docx: a heading and an item of a list',
    docxOf(['# Plan', '- buy milk']),
    docxOf(['# Plans', '- buy bread']),
    ['Body, paragraph 1 (heading1): [-Plan-]{+Plans+}', 'Body, paragraph 2 (list item): buy [-milk-]{+bread+}'],
  ],
  [
    'docx: a cell of a table',
    docxOf([
      table([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ]),
    docxOf([
      table([
        ['a', 'b'],
        ['c', 'e'],
      ]),
    ]),
    ['Body, table 1, B2 (table cell): [-d-]{+e+}'],
  ],
  [
    'docx: a merged cell counts for its columns',
    docxOf([table([['a', 'b', 'c']])]),
    docxOf([
      '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    ]),
    [
      'Body, table 1, B1 (table cell): [-b-]',
      'Body, table 1, C1 (table cell): [-c-]',
      'Body, table 1, C1 (table cell): {+x+}',
    ],
  ],
  [
    'docx: a footnote',
    docxOf(['x'], { 'word/footnotes.xml': beside('footnotes', 'see page 4') }),
    docxOf(['x'], { 'word/footnotes.xml': beside('footnotes', 'see page 5') }),
    ['Footnotes, paragraph 1: see page [-4-]{+5+}'],
  ],
  [
    'docx: a header and a comment',
    docxOf(['x'], { 'word/header1.xml': beside('hdr', 'Draft') }),
    docxOf(['x'], { 'word/header1.xml': beside('hdr', 'Final'), 'word/comments.xml': beside('comments', 'well done') }),
    ['Header 1, paragraph 1: [-Draft-]{+Final+}', 'Comments, paragraph 1: {+well done+}'],
  ],
  [
    'docx: what is marked as inserted is there, as deleted or moved away is not',
    docxOf(['a c']),
    docxOf([
      `<w:p>${run('a ')}<w:ins>${run('b ')}</w:ins><w:del><w:r><w:delText>z</w:delText></w:r></w:del><w:moveFrom>${run('y')}</w:moveFrom>${run('c')}</w:p>`,
    ]),
    ['Body, paragraph 1: a {+b +}c'],
  ],
  [
    'docx: the old form of a text box does not count twice',
    docxOf(['x']),
    docxOf([
      'x',
      `<w:p><mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph('boxed')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${paragraph('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:p>`,
    ]),
    ['Body, paragraph 2: {+boxed+}'],
  ],
  [
    'docx: tabs and breaks are characters, stops of tabs are not',
    docxOf([
      '<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>',
    ]),
    docxOf(['<w:p><w:r><w:t>a</w:t><w:tab/><w:t>c</w:t></w:r></w:p>']),
    ['Body, paragraph 1: a\t[-b-]{+c+}'],
  ],
  [
    'docx: a link',
    docxOf(['x'], {}, ['http://a.example/']),
    docxOf(['x'], {}, ['http://b.example/']),
    ['Links, links: http://[-a-]{+b+}.example/'],
  ],
  [
    'docx: a picture by its sum',
    docxOf(['x'], { 'word/media/image1.png': 'one' }),
    docxOf(['x'], { 'word/media/image1.png': 'two' }),
    ['Pictures, image1.png: image1.png 3 bytes [-7a6c86f1-]{+11ca8a66+}'],
  ],
  [
    'docx: nothing but formatting',
    docxOf(['x'], { 'word/styles.xml': '<w:styles/>' }),
    docxOf(['x'], { 'word/styles.xml': '<w:styles></w:styles>' }),
    [],
  ],
  ['docx: an empty one', docxOf([]), docxOf(['first words']), ['Body, paragraph 1: {+first words+}']],
  ['docx: one that is new', undefined, docxOf(['new words']), ['Body, paragraph 1: {+new words+}']],
  ['docx: one that is gone', docxOf(['old words']), undefined, ['Body, paragraph 1: [-old words-]']],
  [
    'docx: one word of 500 paragraphs',
    docxOf(long),
    docxOf(long.with(321, 'Paragraph 321 of a short document, with words of its own: 2247.')),
    ['Body, paragraph 322: Paragraph 321 of a [-long-]{+short+} document, with words of its own: 2247.'],
  ],
  [
    'docx: entities and marks of XML',
    docxOf(['a < b & "c"']),
    docxOf(['a < b & "d"']),
    ['Body, paragraph 1: a < b & "[-c-]{+d+}"'],
  ],
  [
    'docx: with macros, which never run',
    docxOf(['x'], { 'word/vbaProject.bin': 'Sub AutoOpen()' }),
    docxOf(['y'], { 'word/vbaProject.bin': 'Sub AutoOpen()' }),
    ['Body, paragraph 1: [-x-]{+y+}'],
  ],
  [
    'docx against odt: the text counts',
    docxOf(['same words', 'and more']),
    text('same words', 'and less'),
    ['Body, paragraph 2: and [-more-]{+less+}'],
  ],
  [
    'pptx: a word of a slide',
    pptxOf([slides.one, slides.two]),
    pptxOf([slides.one, { title: 'Two', texts: ['last'] }]),
    ['Slide 2, text 2: [-second-]{+last+}'],
  ],
  [
    'pptx: a title',
    pptxOf([{ title: 'Plan A', texts: ['x'] }]),
    pptxOf([{ title: 'Plan B', texts: ['x'] }]),
    ['Slide 1, text 1 (title): Plan [-A-]{+B+}'],
  ],
  [
    'pptx: notes',
    pptxOf([{ title: 'T', notes: 'say hello' }]),
    pptxOf([{ title: 'T', notes: 'say goodbye' }]),
    ['Slide 1, notes 1 (notes): say [-hello-]{+goodbye+}'],
  ],
  [
    'pptx: a slide that comes between changes no other',
    pptxOf([slides.one, slides.three]),
    pptxOf([slides.one, slides.two, slides.three]),
    ['Slide 2, text 1 (title): {+Two+}', 'Slide 2, text 2: {+second+}'],
  ],
  [
    'pptx: a slide that goes',
    pptxOf([slides.one, slides.two, slides.three]),
    pptxOf([slides.one, slides.three]),
    ['Slide 2, text 1 (title): [-Two-]', 'Slide 2, text 2: [-second-]'],
  ],
  [
    'pptx: a slide that moves',
    pptxOf([slides.one, slides.two, slides.three]),
    pptxOf([slides.three, slides.one, slides.two]),
    ['Slide 1 moved'],
  ],
  [
    'pptx: a cell of a table on a slide',
    pptxOf([
      { title: 'T', texts: ['<a:tbl><a:tr><a:tc><a:p><a:r><a:t>north</a:t></a:r></a:p></a:tc></a:tr></a:tbl>'] },
    ]),
    pptxOf([
      { title: 'T', texts: ['<a:tbl><a:tr><a:tc><a:p><a:r><a:t>south</a:t></a:r></a:p></a:tc></a:tr></a:tbl>'] },
    ]),
    ['Slide 1, table 1, A1 (table cell): [-north-]{+south+}'],
  ],
  [
    'xlsx: a cell',
    xlsxOf({
      Data: [
        ['a', 1],
        ['b', 2],
      ],
    }),
    xlsxOf({
      Data: [
        ['a', 1],
        ['b', 3],
      ],
    }),
    ['Data, B2: [-2-]{+3+}'],
  ],
  [
    'xlsx: a formula with its value',
    xlsxOf({ Data: [[1, '=A1*2 → 2']] }),
    xlsxOf({ Data: [[1, '=A1*3 → 3']] }),
    ['Data, B1: =A1*[-2-]{+3+} → [-2-]{+3+}'],
  ],
  [
    'xlsx: a row that comes between moves no cell',
    xlsxOf({
      Data: [
        ['a', 1],
        ['c', 3],
      ],
    }),
    xlsxOf({
      Data: [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    }),
    ['Data, A2: {+b+}', 'Data, B2: {+2+}'],
  ],
  [
    'xlsx: a date',
    xlsxOf({ Data: [['@45000']] }),
    xlsxOf({ Data: [['@45001.5']] }),
    ['Data, A1: 2023-03-[-15-]{+16 12:00:00+}'],
  ],
  [
    'xlsx: a boolean, and a cell that is emptied',
    xlsxOf({ Data: [[true, 'x', 'stays']] }),
    xlsxOf({ Data: [[false, '', 'stays']] }),
    ['Data, A1: [-TRUE-]{+FALSE+}', 'Data, B1: [-x-]'],
  ],
  [
    'xlsx: a sheet that is new, and one that has another name',
    xlsxOf({ Old: [['a']] }),
    xlsxOf({ New: [['a']], More: [['b']] }),
    ['New (was Old) changed', 'More, A1: {+b+}'],
  ],
  [
    'xlsx: merged cells',
    xlsxOf({ Data: [['a']] }),
    xlsxOf({ Data: [['a']] }, { merged: ['A1:B2'] }),
    ['Data, A1:B2 (merged cells): {+A1:B2+}'],
  ],
  [
    'xlsx: 5,000 rows, one cell',
    xlsxOf({ Data: Array.from({ length: 5000 }, (_, i) => [`row ${i}`, i]) }),
    xlsxOf({ Data: Array.from({ length: 5000 }, (_, i) => [`row ${i}`, i === 4321 ? -1 : i]) }),
    ['Data, B4322: [-4321-]{+-1+}'],
  ],
  [
    'odt: a word, a heading, blanks and tabs',
    odfOf('text', `<text:h text:outline-level="2">Part<text:s text:c="2"/>one</text:h>${p('a<text:tab/>b')}`),
    odfOf('text', `<text:h text:outline-level="2">Part<text:s text:c="2"/>two</text:h>${p('a<text:tab/>c')}`),
    ['Body, paragraph 1 (heading 2): Part  [-one-]{+two+}', 'Body, paragraph 2: a\t[-b-]{+c+}'],
  ],
  [
    'odt: what was deleted under tracking does not count',
    odfOf('text', p('now')),
    odfOf(
      'text',
      `<text:tracked-changes><text:changed-region><text:deletion>${p('was')}</text:deletion></text:changed-region></text:tracked-changes>${p('now')}`,
    ),
    [],
  ],
  [
    'odt: a note, a comment, a list and a table',
    odfOf('text', p('x')),
    odfOf(
      'text',
      `${p('x<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>noted</text:p></text:note-body></text:note><office:annotation><dc:creator>ann</dc:creator><text:p>why?</text:p></office:annotation>')}<text:list><text:list-item>${p('item')}</text:list-item></text:list>${sheet('T', [row(['in a cell'])])}`,
    ),
    [
      'Body, paragraph 4 (list item): {+item+}',
      'Body, table 1, A1 (table cell): {+in a cell+}',
      'Notes, paragraph 1: {+noted+}',
      'Comments, paragraph 2: {+why?+}',
    ],
  ],
  [
    'odt: a header',
    odfOf('text', p('x'), {
      styles: '<style:master-page><style:header><text:p>Draft</text:p></style:header></style:master-page>',
    }),
    odfOf('text', p('x'), {
      styles: '<style:master-page><style:header><text:p>Final</text:p></style:header></style:master-page>',
    }),
    ['Header, paragraph 1: [-Draft-]{+Final+}'],
  ],
  [
    'odp: a slide and its notes',
    odfOf('presentation', page(['Hello'], 'wave') + page(['Bye'])),
    odfOf('presentation', page(['Hello'], 'bow') + page(['Bye now'])),
    ['Slide 1, paragraph 2 (notes): [-wave-]{+bow+}', 'Slide 2, paragraph 3: Bye{+ now+}'],
  ],
  [
    'ods: a cell after repeated ones',
    odfOf('spreadsheet', sheet('S', [row([cell('', 'table:number-columns-repeated="3"'), 'x']), row(['', 'y'])])),
    odfOf('spreadsheet', sheet('S', [row([cell('', 'table:number-columns-repeated="3"'), 'z']), row(['', 'y'])])),
    ['S, D1: [-x-]{+z+}'],
  ],
  [
    'ods: a formula',
    odfOf('spreadsheet', sheet('S', [row([cell('2', 'table:formula="of:=[.B1]*2"')])])),
    odfOf('spreadsheet', sheet('S', [row([cell('4', 'table:formula="of:=[.B1]*4"')])])),
    ['S, A1: =[.B1]*[-2-]{+4+} → [-2-]{+4+}'],
  ],
  [
    'rtf: a word, and characters by number and by code page',
    rtf("caf\\'e9 \\u8364? brown\\par {\\f1\\'d4\\'f6}\\par"),
    rtf("caf\\'e9 \\u8364? red\\par {\\f1\\'bc\\'f5}\\par"),
    ['Body, paragraph 1: café € [-brown-]{+red+}', 'Body, paragraph 2: [-增-]{+减+}'],
  ],
  [
    'rtf: pictures, fields and unknown groups are no text',
    rtf('a\\par'),
    rtf('{\\*\\unknown zzz}{\\pict 89504e47}{\\field{\\*\\fldinst HYPERLINK "http://x"}{\\fldrslt link}}\\par a\\par'),
    ['Body, paragraph 1: {+link+}'],
  ],
  [
    'rtf: a footnote and a header',
    rtf('a{\\footnote one}\\par{\\header top}'),
    rtf('a{\\footnote two}\\par{\\header head}'),
    ['Header, paragraph 3: [-top-]{+head+}', 'Footnotes, paragraph 1: [-one-]{+two+}'],
  ],
];

for (const [claim, before, after, changes] of CASES) {
  test(claim, () => {
    const finding = documentDifference(before && readDocument(before), after && readDocument(after));
    assert.deepEqual(changesOf(finding.sections), changes);
    const { added, deleted, changed } = finding.counts;
    const blocks = finding.sections.flatMap((section) => section.blocks).filter(({ change }) => change !== 'same');
    assert.equal(added + deleted + changed, blocks.length);
  });
}

test('parts that differ beside the text are named, and what was not compared', () => {
  const [before, after] = ['<w:styles/>', '<w:styles></w:styles>'].map((styles) =>
    readDocument(docxOf(['x'], { 'word/styles.xml': styles })),
  );
  const finding = documentDifference(before, after);
  assert.deepEqual([finding.sections, finding.other_parts], [[], ['word/styles.xml']]);
  assert.match(finding.not_compared.join(), /formatting/);
});

test('only so much is given out, and the rest is counted', () => {
  const [before, after] = ['old', 'new'].map((word) =>
    readDocument(docxOf(Array.from({ length: 3000 }, (_, i) => `${word} ${i} ${'x'.repeat(10)}`))),
  );
  const { sections, counts } = documentDifference(before, after);
  assert.equal(counts.added + counts.deleted + counts.changed >= 3000, true);
  assert.equal(sections[0]?.blocks.length, 2000);
  assert.equal((sections[0]?.left_out ?? 0) >= 1000, true);
});
