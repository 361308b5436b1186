import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentDifference } from '../../../server/compare/reader/difference/document-difference.ts';
import { readDocument } from '../../../server/compare/reader/documents/read-document.ts';
import { changesOf } from '../../support/documents/changes-of.ts';
import { beside, docxOf, run } from '../../support/documents/docx-of.ts';
import { cell, odfOf, p, page, row, sheet } from '../../support/documents/odf-of.ts';
import { pptxOf } from '../../support/documents/pptx-of.ts';
import { type Cell, xlsxOf } from '../../support/documents/xlsx-of.ts';
import { contentTypes, relationships, XML } from '../../support/documents/xml.ts';
import type { ZipFiles } from '../../support/documents/zip-of.ts';

/** A document before and after an edit, what of it is told, and which other parts are named. */
type Case = readonly [
  claim: string,
  make: (word: string) => Buffer,
  changes: readonly string[],
  others?: readonly string[],
];

const EMBEDDED = ['docx wordprocessingml.document', 'pptx presentationml.presentation', 'xlsx spreadsheetml.sheet'];
/** The list of types of a package that has files of other formats in it. */
const withEmbedded = (part: string, type: string): ZipFiles => ({
  '[Content_Types].xml': contentTypes(part, type).replace(
    '<Override',
    EMBEDDED.map((one) => {
      const [ending, name] = one.split(' ');
      return `<Default Extension="${ending}" ContentType="application/vnd.openxmlformats-officedocument.${name}"/>`;
    })
      .join('')
      .concat('<Override'),
  ),
});
const shown = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const related = (...rows: readonly string[]): ZipFiles => ({ 'ppt/slides/_rels/slide1.xml.rels': relationships(rows) });
const slide = (inner: string, attributes = ''): ZipFiles => ({
  'ppt/slides/slide1.xml': `${XML}<p:sld xmlns:p="p" xmlns:a="a" ${attributes}><p:cSld>${inner}</p:cSld></p:sld>`,
});
const deck = (parts: ZipFiles): Buffer => pptxOf([{ title: 'T' }], parts);
const rows = (from: number, column: string | undefined = undefined): readonly (readonly Cell[])[] =>
  Array.from({ length: 12 }, (_, i) => [
    `row ${from + i}`,
    ...(column === undefined ? [] : [column]),
    i * 3,
    `end ${i}`,
  ]);
const workbook = (inner: string): ZipFiles => ({
  'xl/workbook.xml': `${XML}<workbook xmlns:r="r">${inner}</workbook>`,
});
const rtf = (text: string): Buffer => Buffer.from(`{\\rtf1\\ansi ${text}}`, 'latin1');

const CASES: readonly Case[] = [
  [
    'a presentation with a text document in it is a presentation',
    (word) => pptxOf([{ title: word }], withEmbedded('ppt/presentation.xml', 'presentationml.presentation')),
    ['Slide 1, text 1 (title): [-old-]{+new+}'],
  ],
  [
    'a workbook with a text document in it is a workbook',
    (word) => xlsxOf({ S: [[word]] }, { parts: withEmbedded('xl/workbook.xml', 'spreadsheetml.sheet') }),
    ['S, A1: [-old-]{+new+}'],
  ],
  [
    'a text document with a workbook in it is a text document',
    (word) => docxOf([word], withEmbedded('word/document.xml', 'wordprocessingml.document')),
    ['Body, paragraph 1: [-old-]{+new+}'],
  ],
  [
    'docx: tabs and breaks in what was deleted count as little as its words',
    (word) => docxOf([`<w:p>${run('a')}<w:del>${word === 'old' ? '<w:r><w:tab/><w:br/></w:r>' : ''}</w:del></w:p>`]),
    [],
    ['word/document.xml'],
  ],
  [
    'docx: a link in a footnote',
    (word) =>
      docxOf(['x'], {
        'word/footnotes.xml': beside('footnotes', 'note'),
        'word/_rels/footnotes.xml.rels': relationships([`r1 hyperlink http://${word}.example External`]),
      }),
    ['Links, links: http://[-old-]{+new+}.example'],
  ],
  [
    'docx: a part that was read and differs in something else than its text is named',
    (word) => docxOf([`<w:p w:rsidR="${word}">${run('same')}</w:p>`]),
    [],
    ['word/document.xml'],
  ],
  [
    'docx: a part of the same name as the body’s, elsewhere, is named',
    (word) => docxOf(['x'], { 'word/glossary/document.xml': beside('glossaryDocument', word) }),
    [],
    ['word/glossary/document.xml'],
  ],
  [
    'docx: a chart’s title and what it shows',
    (word) =>
      docxOf(['x'], {
        'word/charts/chart2.xml': `<c:chart xmlns:c="c" xmlns:a="a"><c:title>${shown(word)}</c:title><c:v>${word === 'old' ? 1 : 2}</c:v></c:chart>`,
      }),
    ['Chart 2, text 1: [-old-]{+new+}', 'Chart 2, value 1 (value): [-1-]{+2+}'],
  ],
  [
    'docx: elements with the names of what every object has are no text',
    (word) => docxOf([`<w:p><w:constructor/><w:toString/>${run(word)}</w:p>`]),
    ['Body, paragraph 1: [-old-]{+new+}'],
  ],
  [
    'pptx: notes that are a number',
    (word) => pptxOf([{ title: 'T', notes: word === 'old' ? '2026' : '2027' }]),
    ['Slide 1, notes 1 (notes): [-2026-]{+2027+}'],
  ],
  [
    'pptx: a table below the title is no title',
    (word) =>
      deck(
        slide(
          `<p:sp><p:nvPr><p:ph type="title"/></p:nvPr>${shown('T')}</p:sp><p:graphicFrame><a:tbl><a:tr><a:tc>${shown(word)}</a:tc></a:tr></a:tbl></p:graphicFrame>`,
        ),
      ),
    ['Slide 1, table 1, A1 (table cell): [-old-]{+new+}'],
  ],
  [
    'pptx: a slide that is hidden',
    (word) => deck(slide(shown('same'), word === 'old' ? '' : 'show="0"')),
    ['Slide 1, slide (state): {+is hidden+}'],
  ],
  [
    'pptx: a comment, in the old form and in the new one',
    (word) =>
      deck({
        ...related('c1 comments ../comments/comment1.xml', 'c2 comments ../comments/modern.xml'),
        'ppt/comments/comment1.xml': `<p:cmLst xmlns:p="p"><p:cm><p:text>${word} one</p:text></p:cm></p:cmLst>`,
        'ppt/comments/modern.xml': `<q:cm xmlns:q="q" xmlns:a="a"><q:txBody>${shown(`${word} two`)}</q:txBody></q:cm>`,
      }),
    ['Slide 1, comment 1 (comment): [-old-]{+new+} one', 'Slide 1, comment 1 (comment): [-old-]{+new+} two'],
  ],
  [
    'pptx: a diagram',
    (word) => deck({ 'ppt/diagrams/data1.xml': `<d:dataModel xmlns:d="d" xmlns:a="a">${shown(word)}</d:dataModel>` }),
    ['Diagram 1, text 1: [-old-]{+new+}'],
  ],
  [
    'xlsx: a column that comes between moves no cell',
    (word) => xlsxOf({ S: rows(1, word === 'old' ? undefined : 'x') }),
    Array.from({ length: 12 }, (_, i) => `S, B${i + 1}: {+x+}`),
  ],
  [
    'xlsx: a column that goes, and a cell beside it that changes',
    (word) => xlsxOf({ S: word === 'old' ? rows(1, 'x') : rows(1).with(4, ['row 5', 12, 'changed']) }),
    Array.from({ length: 12 }, (_, i) => [
      `S, B${i + 1}: [-x-]`,
      ...(i === 4 ? ['S, C5: [-end 4-]{+changed+}'] : []),
    ]).flat(),
  ],
  [
    'xlsx: a sheet that moves, and one that is hidden',
    (word) =>
      xlsxOf(
        { A: [['a']], B: [['b']] },
        {
          parts: workbook(
            word === 'old'
              ? '<sheets><sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets>'
              : '<sheets><sheet name="B" state="hidden" r:id="rId2"/><sheet name="A" r:id="rId1"/></sheets>',
          ),
        },
      ),
    ['B, sheet (state): {+is hidden+}', 'A moved'],
    ['xl/workbook.xml'],
  ],
  [
    'xlsx: days that count from 1904 on',
    (word) =>
      xlsxOf(
        { S: [[word === 'old' ? '@43539' : '@43540']] },
        {
          parts: workbook('<workbookPr date1904="1"/><sheets><sheet name="S" r:id="rId1"/></sheets>'),
        },
      ),
    ['S, A1: 2023-03-[-16-]{+17+}'],
  ],
  [
    'xlsx: a comment at its cell',
    (word) =>
      xlsxOf(
        { S: [['a']] },
        {
          parts: {
            'xl/worksheets/_rels/sheet1.xml.rels': relationships(['c1 comments ../comments1.xml']),
            'xl/comments1.xml': `<comments><comment ref="B2"><text><r><t>${word} </t></r><r><t>words</t></r></text></comment></comments>`,
          },
        },
      ),
    ['S, B2 (comment): [-old-]{+new+} words'],
  ],
  [
    'xlsx: texts that have other numbers now are no difference of sheets that did not change',
    (word) => xlsxOf({ A: word === 'old' ? [['x']] : [['first'], ['x']], B: [['y']] }),
    ['A, A1: {+first+}'],
  ],
  [
    'odt: a date that a field shows, and an element with the name of what every object has',
    (word) => odfOf('text', `<constructor>${p(`on <text:date>${word}</text:date>`)}</constructor>`),
    ['Body, paragraph 1: on [-old-]{+new+}'],
  ],
  [
    'odp: a slide that is hidden',
    (word) =>
      odfOf(
        'presentation',
        `<style:style style:name="d1"><style:drawing-page-properties presentation:visibility="${word === 'old' ? 'visible' : 'hidden'}"/></style:style>${page(['x']).replace('<draw:page>', '<draw:page draw:style-name="d1">')}`,
      ),
    ['Slide 1, slide (state): {+is hidden+}'],
  ],
  [
    'ods: rows and cells that repeat more often than they are taken',
    (word) =>
      odfOf(
        'spreadsheet',
        sheet('S', [
          row(
            [cell('x', 'table:number-columns-repeated="2"')],
            `table:number-rows-repeated="${word === 'old' ? 1500 : 1600}"`,
          ),
        ]),
      ),
    ['S, A1 (repeated): the same from 1 to [-1500-]{+1600+}'],
  ],
  [
    'rtf: a text box, once',
    (word) => rtf(`a{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv 1}}{\\shptxt ${word}\\par}}{\\shprslt ${word}}} b\\par`),
    ['Text boxes, paragraph 1: [-old-]{+new+}'],
  ],
  [
    'rtf: of a text in two forms the one in Unicode',
    (word) => rtf(`a {\\upr{${word}?}{\\*\\ud{${word}\\u269?}}} b\\par`),
    ['Body, paragraph 1: a [-oldč-]{+newč+} b'],
  ],
  [
    'rtf: a control word with the name of what every object has',
    (word) => rtf(`a\\constructor b ${word}\\par`),
    ['Body, paragraph 1: ab [-old-]{+new+}'],
  ],
];

for (const [claim, make, changes, others = []] of CASES) {
  test(claim, () => {
    const { sections, other_parts } = documentDifference(readDocument(make('old')), readDocument(make('new')));
    assert.deepEqual(changesOf(sections), changes);
    assert.deepEqual(other_parts, others);
  });
}
