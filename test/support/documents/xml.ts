/** Text as XML has it. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A part that lists what another one refers to: `id type target`, or `id type target External`. */
export function relationships(rows: readonly string[]): string {
  const items = rows.map((row) => {
    const [id, type, target, mode] = row.split(' ');
    const external = mode === undefined ? '' : ` TargetMode="${mode}"`;
    return `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${external}/>`;
  });
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

/** The list of parts' types, with that of the main part. */
export function contentTypes(part: string, type: string): string {
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;
}
