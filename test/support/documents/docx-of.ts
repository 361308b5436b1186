import { contentTypes, escaped, relationships, XML } from './xml.ts';
import { type ZipFiles, zipOf } from './zip-of.ts';

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** A paragraph; `#` begins a heading, `-` an item of a list. What begins with `<` is XML and goes in as it is. */
export function paragraph(text: string): string {
  if (text.startsWith('<')) return text;
  const [, mark, rest = ''] = /^([#-] )?([\s\S]*)$/.exec(text) ?? [];
  const style =
    mark === '# ' ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : mark === '- ' ? '<w:pPr><w:numPr/></w:pPr>' : '';
  return `<w:p>${style}${run(rest)}</w:p>`;
}

export const run = (text: string): string => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;

export const table = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/** A word document of paragraphs; further parts by name. */
export function docxOf(paragraphs: readonly string[], parts: ZipFiles = {}, links: readonly string[] = []): Buffer {
  return zipOf(docxFiles(paragraphs, parts, links));
}

/** The files of its package. */
export function docxFiles(
  paragraphs: readonly string[],
  parts: ZipFiles = {},
  links: readonly string[] = [],
): ZipFiles {
  return {
    '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': relationships(['r1 officeDocument word/document.xml']),
    'word/document.xml': `${XML}<w:document ${W}><w:body>${paragraphs.map(paragraph).join('')}</w:body></w:document>`,
    ...(links.length > 0 && {
      'word/_rels/document.xml.rels': relationships(
        links.map((link, i) => `l${i} hyperlink ${escaped(link)} External`),
      ),
    }),
    ...parts,
  };
}

/** A part beside the body: `hdr`, `ftr`, `footnotes`, `comments`. */
export const beside = (root: string, ...paragraphs: readonly string[]): string =>
  `${XML}<w:${root} ${W}>${paragraphs.map(paragraph).join('')}</w:${root}>`;
