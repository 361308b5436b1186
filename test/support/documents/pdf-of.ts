/** A page: lines of text in Latin letters, or what draws it as PDF has it where it begins with `%`. */
export type PdfPage = readonly string[] | string;

export interface PdfParts {
  /** Further members of the catalog, such as an action. */
  readonly catalog?: string;
  readonly pageSize?: string;
  /** Further members of each page. */
  readonly page?: string;
  /** Further members of the trailer. */
  readonly trailer?: string;
  /** Further objects by their number, from 1,000 on. */
  readonly objects?: Readonly<Record<number, string>>;
}

/** A PDF with a page for each item; a line that is empty ends a paragraph. */
export function pdfOf(pages: readonly PdfPage[], parts: PdfParts = {}): Buffer {
  const objects = new Map<number, string>();
  const kids = pages.map((_, at) => `${5 + at * 2} 0 R`).join(' ');
  objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${parts.catalog ?? ''} >>`);
  objects.set(2, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  objects.set(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  pages.forEach((page, at) => {
    const content = typeof page === 'string' ? page : textOf(page);
    objects.set(4 + at * 2, `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`);
    const box = parts.pageSize ?? '[0 0 612 792]';
    objects.set(
      5 + at * 2,
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${4 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> ${parts.page ?? ''} >>`,
    );
  });
  for (const [number, object] of Object.entries(parts.objects ?? {})) objects.set(Number(number), object);
  return file(objects, parts.trailer ?? '');
}

function textOf(lines: readonly string[]): string {
  let y = 740;
  const drawn = lines.flatMap((line) => {
    y -= line === '' ? 26 : 14;
    return line === '' ? [] : [`BT /F1 11 Tf 72 ${y} Td (${line.replace(/[\\()]/g, '\\$&')}) Tj ET`];
  });
  return drawn.join('\n');
}

function file(objects: ReadonlyMap<number, string>, trailer: string): Buffer {
  let out = '%PDF-1.7\n';
  const entries: string[] = [];
  for (const [number, object] of objects) {
    entries.push(`${number} 1\n${String(out.length).padStart(10, '0')} 00000 n \n`);
    out += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const start = out.length;
  const size = Math.max(...objects.keys()) + 1;
  out += `xref\n0 1\n0000000000 65535 f \n${entries.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}
