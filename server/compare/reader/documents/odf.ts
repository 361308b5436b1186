import type { DocumentFormat } from '../../../domain/comparison.ts';
import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { Budget, type DocumentText, type Section } from './document.ts';
import { OdfReader } from './odf-reader.ts';
import { linkSection, partsOf, pictureSection } from './package-parts.ts';

const NOT_COMPARED = ['formatting and styles', 'tracked changes', 'pixels of pictures, charts and drawings'];

/** The text of an OpenDocument text, presentation or spreadsheet, with headers, footers, notes and comments. */
export function odfText(zip: ZipPackage, format: Extract<DocumentFormat, 'odt' | 'odp' | 'ods'>): DocumentText {
  if (isEncrypted(zip)) throw new UnreadError('encrypted', 'the document has a password');
  const budget = new Budget();
  const read = (part: string): OdfReader => {
    const bytes = zip.read(part);
    const reader = new OdfReader(format, budget);
    if (bytes !== undefined) readXml(bytes, part, reader.handlers);
    else if (part === 'content.xml') throw new UnreadError('damaged', 'the package has no content.xml');
    return reader;
  };
  const [content, styles] = [read('content.xml'), read('styles.xml')];
  const beside: readonly Section[] = [
    { kind: 'header', name: 'Header', blocks: styles.blocks.header },
    { kind: 'footer', name: 'Footer', blocks: styles.blocks.footer },
    { kind: 'footnotes', name: 'Notes', blocks: content.blocks.note, parts: ['content.xml'] },
    { kind: 'comments', name: 'Comments', blocks: content.blocks.comment, parts: ['content.xml'] },
  ];
  return {
    format,
    sections: [
      ...(format === 'odt'
        ? [{ kind: 'body', name: 'Body', blocks: content.blocks.body, parts: ['content.xml'] } as const]
        : []),
      ...content.sections.map((section) => ({ ...section, parts: ['content.xml'] })),
      ...beside,
      pictureSection(zip),
      linkSection(content.links),
    ],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

function isEncrypted(zip: ZipPackage): boolean {
  const bytes = zip.read('META-INF/manifest.xml');
  let found = false;
  if (bytes !== undefined) {
    readXml(bytes, 'META-INF/manifest.xml', {
      open: ({ name }) => {
        found ||= name === 'encryption-data';
      },
    });
  }
  return found;
}
