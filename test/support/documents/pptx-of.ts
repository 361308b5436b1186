import { contentTypes, escaped, relationships, XML } from './xml.ts';
import { type ZipFiles, zipOf } from './zip-of.ts';

export interface Slide {
  readonly title: string;
  readonly texts?: readonly string[];
  readonly notes?: string;
}

const NS =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** A presentation; further parts by name. */
export function pptxOf(slides: readonly Slide[], parts: ZipFiles = {}): Buffer {
  const files: Record<string, string> = {};
  slides.forEach(({ title, texts = [], notes }, at) => {
    const n = at + 1;
    const shapes = [shape(title, '<p:ph type="title"/>'), ...texts.map((text) => shape(text, ''))];
    files[`ppt/slides/slide${n}.xml`] =
      `${XML}<p:sld ${NS}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`;
    if (notes === undefined) return;
    files[`ppt/slides/_rels/slide${n}.xml.rels`] = relationships([`n1 notesSlide ../notesSlides/notesSlide${n}.xml`]);
    const number = '<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p></p:txBody></p:sp>';
    files[`ppt/notesSlides/notesSlide${n}.xml`] =
      `${XML}<p:notes ${NS}><p:cSld><p:spTree>${shape(notes, '<p:ph type="body"/>')}${number}</p:spTree></p:cSld></p:notes>`;
  });
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('');
  return zipOf({
    '[Content_Types].xml': contentTypes('ppt/presentation.xml', 'presentationml.presentation'),
    '_rels/.rels': relationships(['r1 officeDocument ppt/presentation.xml']),
    'ppt/presentation.xml': `${XML}<p:presentation ${NS}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      slides.map((_, at) => `rId${at + 1} slide slides/slide${at + 1}.xml`),
    ),
    ...files,
    ...parts,
  });
}

const shape = (text: string, placeholder: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${text.startsWith('<') ? text : `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`}</p:txBody></p:sp>`;
