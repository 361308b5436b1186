import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { ZipPackage } from '../package/zip-package.ts';
import type { DocumentText } from './document.ts';
import { docxText } from './docx.ts';
import { odfText } from './odf.ts';
import { pptxText } from './pptx.ts';
import { rtfText } from './rtf.ts';
import { xlsxText } from './xlsx.ts';

/** Reads a document, of whichever format it is by its content. Throws UnreadError. */
export function readDocument(bytes: Buffer): DocumentText {
  if (bytes.toString('latin1', 0, 5) === '{\\rtf') return rtfText(bytes);
  const zip = new ZipPackage(bytes);
  const kind = packageKind(zip);
  if (kind === undefined) throw new UnreadError('binary', 'an archive that is no document');
  return kind(zip);
}

type Reader = (zip: ZipPackage) => DocumentText;

const OPEN_DOCUMENT: Readonly<Record<string, Reader>> = {
  text: (zip) => odfText(zip, 'odt'),
  presentation: (zip) => odfText(zip, 'odp'),
  spreadsheet: (zip) => odfText(zip, 'ods'),
};

/** Main parts by their media types; a file that is embedded has another end. */
const OFFICE: readonly (readonly [RegExp, Reader])[] = [
  [/(wordprocessingml|ms-word)\.(document|template)\b.*main\+xml/, docxText],
  [/(presentationml|ms-powerpoint)\.(presentation|slideshow|template)\b.*main\+xml/, pptxText],
  [/(spreadsheetml|ms-excel)\.(sheet|template)\b.*main\+xml/, xlsxText],
];

function packageKind(zip: ZipPackage): Reader | undefined {
  const mimetype = (zip.parts.get('mimetype')?.size ?? 0) < 200 ? zip.read('mimetype')?.toString('latin1') : undefined;
  const [, open = ''] = /^application\/vnd\.oasis\.opendocument\.(\w+)/.exec(mimetype ?? '') ?? [];
  if (Object.hasOwn(OPEN_DOCUMENT, open)) return OPEN_DOCUMENT[open];
  const types = zip.read('[Content_Types].xml');
  if (types === undefined) return undefined;
  const found: string[] = [];
  readXml(types, '[Content_Types].xml', {
    open: ({ name, attribute }) => {
      if (name === 'Override' || name === 'Default') found.push(attribute('ContentType'));
    },
  });
  return OFFICE.find(([pattern]) => found.some((type) => pattern.test(type)))?.[1];
}
