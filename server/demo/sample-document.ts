import { zipStream } from '../io/zip-stream.ts';

/** Makes a word processor's document (.docx) with one paragraph. */
export async function sampleDocument(text: string): Promise<Buffer> {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const parts = {
    ...FRAME,
    'word/document.xml': `${XML}<w:document ${W}><w:body><w:p><w:r><w:t>${escaped}</w:t></w:r></w:p></w:body></w:document>`,
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipStream(entries(parts))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** The parts that every such document has. */
const FRAME = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${MAIN_TYPE}"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
};

async function* entries(parts: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(parts)) {
    const bytes = Buffer.from(text);
    yield { name: Buffer.from(name), mode: 0o100644, time: new Date(0), size: bytes.length, content: once(bytes) };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
