import { XML } from './xml.ts';
import { type ZipFiles, zipOf } from './zip-of.ts';

const NS = ['office', 'text', 'table', 'draw:drawing', 'presentation', 'style', 'svg:svg-compatible']
  .map((name) => name.split(':'))
  .map(([prefix, name = prefix]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:dc="http://purl.org/dc/elements/1.1/"')
  .join(' ');

/** An OpenDocument file with this XML in its body; headers and footers in `styles`. */
export function odfOf(
  kind: 'text' | 'presentation' | 'spreadsheet',
  body: string,
  { styles = '', parts = {} }: { readonly styles?: string; readonly parts?: ZipFiles } = {},
): Buffer {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': manifestOf(kind),
    'content.xml': `${XML}<office:document-content ${NS}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `${XML}<office:document-styles ${NS}><office:master-styles>${styles}</office:master-styles></office:document-styles>`,
    ...parts,
  });
}

const manifestOf = (kind: string): string =>
  `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.${kind}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;

export const p = (text: string): string => `<text:p>${text}</text:p>`;
export const page = (texts: readonly string[], notes = ''): string =>
  `<draw:page><draw:frame svg:x="1cm" svg:y="1cm" svg:width="20cm" svg:height="9cm"><draw:text-box>${texts.map(p).join('')}</draw:text-box></draw:frame>${notes === '' ? '' : `<presentation:notes>${p(notes)}</presentation:notes>`}</draw:page>`;
export const cell = (text: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${text === '' ? '' : p(text)}</table:table-cell>`;
export const row = (cells: readonly string[], attributes = ''): string =>
  `<table:table-row ${attributes}>${cells.map((one) => (one.startsWith('<') ? one : cell(one))).join('')}</table:table-row>`;
export const sheet = (name: string, rows: readonly string[]): string =>
  `<table:table table:name="${name}">${rows.join('')}</table:table>`;
