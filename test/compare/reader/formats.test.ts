import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnName, parseCellName } from '../../../server/compare/reader/documents/cell-name.ts';
import { readDocument } from '../../../server/compare/reader/documents/read-document.ts';
import { type RtfToken, rtfTokens } from '../../../server/compare/reader/documents/rtf-tokens.ts';
import { UnreadError } from '../../../server/compare/unread-error.ts';
import { beside, docxOf, run } from '../../support/documents/docx-of.ts';
import { cell, odfOf, p, row, sheet } from '../../support/documents/odf-of.ts';
import { pptxOf } from '../../support/documents/pptx-of.ts';
import { xlsxOf } from '../../support/documents/xlsx-of.ts';
import { contentTypes, relationships, XML } from '../../support/documents/xml.ts';
import { zipOf } from '../../support/documents/zip-of.ts';

/** What a document says: `Section | place | style | text`. */
const told = (bytes: Buffer): readonly string[] =>
  readDocument(bytes).sections.flatMap(({ name, blocks, rows = [] }) => [
    ...blocks.map(({ at, style, text }) => [name, at, style ?? '', text].join(' | ')),
    ...rows.flatMap(({ number, cells }) =>
      [...cells].map(([column, text]) => `${name} | ${column}${number} | ${text}`),
    ),
  ]);
const body = (xml: string, parts = {}) => told(docxOf([xml], parts));

describe('a word document', () => {
  it('names its styles as the person does, not by their ids', () => {
    const styles = `${XML}<w:styles xmlns:w="w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="a"><w:name w:val="Normal"/></w:style></w:styles>`;
    const styled = (id: string, text: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(text)}</w:p>`;
    assert.deepEqual(
      body(styled('berschrift1', 'Titel') + styled('a', 'Text') + styled('other', 'odd'), {
        'word/styles.xml': styles,
      }),
      ['Body | paragraph 1 | heading 1 | Titel', 'Body | paragraph 2 |  | Text', 'Body | paragraph 3 | other | odd'],
    );
  });

  it('joins the runs of a paragraph, and leaves empty ones out of the count', () => {
    assert.deepEqual(
      body(`<w:p>${run('one ')}${run('two')}</w:p><w:p/><w:p>${run('  ')}</w:p><w:p>${run('three')}</w:p>`),
      ['Body | paragraph 1 |  | one two', 'Body | paragraph 2 |  | three'],
    );
  });

  it('has breaks, hyphens that do not break, symbols and formulas as text', () => {
    const xml = `<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:sym w:font="Symbol" w:char="03B1"/><w:sym w:char="nothing"/></w:r><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>`;
    assert.deepEqual(body(xml.replace('<m:oMath>', '<m:oMath xmlns:m="m">')), ['Body | paragraph 1 |  | a\nb‑αx=1']);
  });

  it('has tables in tables, each with its number', () => {
    const inner = `<w:tbl><w:tr><w:tc><w:p>${run('inner')}</w:p></w:tc></w:tr></w:tbl>`;
    const outer = `<w:tbl><w:tr><w:tc><w:p>${run('A')}</w:p>${inner}</w:tc><w:tc><w:p>${run('B')}</w:p></w:tc></w:tr></w:tbl>`;
    assert.deepEqual(body(outer), [
      'Body | table 1, A1 | table cell | A',
      'Body | table 2, A1 | table cell | inner',
      'Body | table 1, B1 | table cell | B',
    ]);
  });

  it('has headers and footers in the order of their numbers, endnotes and comments', () => {
    const parts = {
      'word/header10.xml': beside('hdr', 'tenth'),
      'word/header2.xml': beside('hdr', 'second'),
      'word/footer1.xml': beside('ftr', 'page'),
      'word/endnotes.xml': beside('endnotes', 'end'),
      'word/comments.xml': beside('comments', 'why?'),
    };
    assert.deepEqual(told(docxOf(['x'], parts)).slice(1), [
      'Header 2 | paragraph 1 |  | second',
      'Header 10 | paragraph 1 |  | tenth',
      'Footer 1 | paragraph 1 |  | page',
      'Endnotes | paragraph 1 |  | end',
      'Comments | paragraph 1 |  | why?',
    ]);
  });

  it('is found where the package says that it is', () => {
    const bytes = zipOf({
      '[Content_Types].xml': contentTypes('odd/place.xml', 'wordprocessingml.document'),
      '_rels/.rels': relationships(['r1 officeDocument odd/place.xml']),
      'odd/place.xml': beside('document', 'found'),
    });
    assert.deepEqual(told(bytes), ['Body | paragraph 1 |  | found']);
  });

  it('is one with macros, or a template, as well', () => {
    for (const type of [
      'application/vnd.ms-word.document.macroEnabled.main+xml',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
    ]) {
      const types = `<Types><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`;
      assert.deepEqual(told(docxOf(['x'], { '[Content_Types].xml': types })), ['Body | paragraph 1 |  | x']);
    }
  });
});

describe('a presentation', () => {
  it('has its slides in the order in which they are shown, whatever their files are called', () => {
    const slides = [{ title: 'A' }, { title: 'B' }];
    const swapped = relationships(['rId1 slide slides/slide2.xml', 'rId2 slide slides/slide1.xml']);
    assert.deepEqual(told(pptxOf(slides, { 'ppt/_rels/presentation.xml.rels': swapped })), [
      'Slide 1 | text 1 | title | B',
      'Slide 2 | text 1 | title | A',
    ]);
  });

  it('has what its notes say, without the number of the slide that stands there', () => {
    assert.deepEqual(told(pptxOf([{ title: 'A', texts: ['b'], notes: 'speak slowly' }])), [
      'Slide 1 | text 1 | title | A',
      'Slide 1 | text 2 |  | b',
      'Slide 1 | notes 1 | notes | speak slowly',
    ]);
  });

  it('that lacks a slide is damaged', () => {
    const gone = relationships(['rId1 slide slides/none.xml']);
    assert.throws(() => told(pptxOf([{ title: 'A' }], { 'ppt/_rels/presentation.xml.rels': gone })), UnreadError);
  });
});

describe('a workbook', () => {
  const sheetOf = (rows: string) =>
    told(
      xlsxOf(
        { S: [['shared']] },
        { parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>` } },
      ),
    );

  it('has each type of cell as it is shown', () => {
    const cells = [
      '<c r="A1" t="s"><v>0</v></c>',
      '<c r="B1" t="inlineStr"><is><t>in</t><t>line</t></is></c>',
      '<c r="C1" t="str"><f>A1&amp;"x"</f><v>sharedx</v></c>',
      '<c r="D1" t="e"><v>#DIV/0!</v></c>',
      '<c r="E1"><v>1.5</v></c>',
      '<c r="F1" s="1"><v>45000.25</v></c>',
      '<c r="G1" s="1"><v>0.5</v></c>',
      '<c r="H1" s="1"><v>-1</v></c>',
      '<c r="I1"/>',
    ];
    assert.deepEqual(sheetOf(`<row r="1">${cells.join('')}</row>`), [
      'S | A1 | shared',
      'S | B1 | inline',
      'S | C1 | =A1&"x" → sharedx',
      'S | D1 | #DIV/0!',
      'S | E1 | 1.5',
      'S | F1 | 2023-03-15 06:00:00',
      'S | G1 | 12:00:00',
      'S | H1 | -1',
    ]);
  });

  it('has cells and rows without names one after the other', () => {
    assert.deepEqual(
      sheetOf(
        '<row><c><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c><v>4</v></c></row><row><c><v>5</v></c></row>',
      ),
      ['S | A1 | 1', 'S | B1 | 2', 'S | C5 | 3', 'S | D5 | 4', 'S | A6 | 5'],
    );
  });

  it('does not say how words are spoken, and has no cells in a sheet that is a chart', () => {
    assert.deepEqual(told(xlsxOf({ S: [['word']] })), ['S | A1 | word']);
    const chart = relationships(['rId1 chartsheet chartsheets/sheet1.xml', 's1 sharedStrings sharedStrings.xml']);
    assert.deepEqual(told(xlsxOf({ S: [['word']] }, { parts: { 'xl/_rels/workbook.xml.rels': chart } })), []);
  });

  it('names columns as they are named', () => {
    assert.deepEqual([0, 25, 26, 701, 702, 16_383].map(columnName), ['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
    assert.deepEqual(parseCellName('XFD1048576'), { column: 'XFD', row: 1_048_576 });
    for (const none of ['', 'A', '1', 'a1', 'ABCD1', 'A12345678', 'A-1']) assert.equal(parseCellName(none), undefined);
  });
});

describe('an OpenDocument file', () => {
  it('repeats cells and rows as often as it says, up to a bound, and empty ones not at all', () => {
    const rows = [
      row(
        [cell('x', 'table:number-columns-repeated="2"'), cell('', 'table:number-columns-repeated="1000"'), 'y'],
        'table:number-rows-repeated="2"',
      ),
      row([''], 'table:number-rows-repeated="1000000"'),
      row(['last']),
    ];
    assert.deepEqual(told(odfOf('spreadsheet', sheet('S', rows))), [
      'S | A1 | x',
      'S | B1 | x',
      'S | ALO1 | y',
      'S | A2 | x',
      'S | B2 | x',
      'S | ALO2 | y',
      'S | A1000003 | last',
    ]);
  });

  it('has values that show nothing of their own, and covered cells keep their columns', () => {
    const rows = [
      row([
        cell('', 'office:value="7"'),
        '<table:covered-table-cell/>',
        cell('', 'office:date-value="2026-01-02"'),
        cell('a', ''),
      ]),
    ];
    assert.deepEqual(told(odfOf('spreadsheet', sheet('S', rows))), ['S | A1 | 7', 'S | C1 | 2026-01-02', 'S | D1 | a']);
  });

  it('has lists in lists, line breaks, and links by their addresses', () => {
    const list = `<text:list><text:list-item>${p('one')}<text:list><text:list-item>${p('two')}</text:list-item></text:list></text:list-item></text:list>`;
    const link = '<text:a xlink:href="http://x.example/">here</text:a>';
    assert.deepEqual(told(odfOf('text', `${list}${p(`a<text:line-break/>${link}`)}`)), [
      'Body | paragraph 1 | list item | one',
      'Body | paragraph 2 | list item | two',
      'Body | paragraph 3 |  | a\nhere',
      'Links | links |  | http://x.example/',
    ]);
  });

  it('is told by its first entry, and is none where that says something else', () => {
    assert.equal(readDocument(odfOf('presentation', '')).format, 'odp');
    assert.throws(() => readDocument(zipOf({ mimetype: 'application/epub+zip', 'content.xml': '<a/>' })), {
      why: 'binary',
    });
    assert.throws(() => readDocument(zipOf({ mimetype: 'application/vnd.oasis.opendocument.text' })), {
      why: 'damaged',
    });
  });
});

describe('rich text', () => {
  const rtf = (text: string) => told(Buffer.from(`{\\rtf1\\ansi ${text}}`, 'latin1'));

  it('is parted into groups, words with numbers, and bytes', () => {
    const tokens = [...rtfTokens("{\\b0 a\\'e9\\u-10179?\\~\\_\\{x\\bin3 }}}y}")].map((token: RtfToken) =>
      token.kind === 'word' ? `\\${token.name}${token.value ?? ''}` : token.kind === 'bytes' ? token.bytes : token.kind,
    );
    assert.deepEqual(tokens, ['open', '\\b0', 'a', 'é', '\\u-10179', '?', ' ', '\\_', '{', 'x', 'y', 'close']);
  });

  it('has characters beyond the first 65,536 in two halves, and others by name', () => {
    assert.deepEqual(rtf('\\u-10179?\\u-8704? \\ldblquote x\\rdblquote\\emdash\\bullet\\tab y\\line z\\par'), [
      'Body | paragraph 1 |  | 😀 “x”—•\ty\nz',
    ]);
  });

  it('passes over as many characters as it says that stand for one by number', () => {
    assert.deepEqual(rtf('\\uc3\\u8364 abc!\\par\\uc0\\u8364!\\par {\\uc2\\u8364 ab}cd\\par'), [
      'Body | paragraph 1 |  | €!',
      'Body | paragraph 2 |  | €!',
      'Body | paragraph 3 |  | €cd',
    ]);
  });

  it('decodes bytes by the code page of the document, and of the font', () => {
    assert.deepEqual(
      told(
        Buffer.from(
          "{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f1\\fcharset161 G;}}\\'cf\\'f0\\par{\\f1\\'e1}\\'e1\\par}",
          'latin1',
        ),
      ),
      ['Body | paragraph 1 |  | Пр', 'Body | paragraph 2 |  | αб'],
    );
  });

  it('has cells of tables, and a line that ends after a backslash is a paragraph', () => {
    assert.deepEqual(rtf('a\\cell b\\cell\\row c\\\nd'), [
      'Body | paragraph 1 | table cell | a',
      'Body | paragraph 2 | table cell | b',
      'Body | paragraph 3 |  | c',
      'Body | paragraph 4 |  | d',
    ]);
  });

  it('that never ends, or closes more than it opened, is read as far as it goes', () => {
    assert.deepEqual(rtf('{\\b open'), ['Body | paragraph 1 |  | open']);
    assert.deepEqual(rtf('a}}}}}b'), ['Body | paragraph 1 |  | ab']);
  });
});
