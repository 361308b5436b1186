import { plain } from './terminal.ts';

const GAP = '  ';

/** Rows as columns that line up; the last column is as long as it is. Cells are made plain. `none` stands for no rows. */
export function table(rows: readonly (readonly (string | number | undefined)[])[], none = ''): string {
  if (rows.length === 0) return none;
  const cells = rows.map((row) => row.map((cell) => plain(String(cell ?? ''))));
  const widths = cells.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, width(cell))), []);
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - width(cell))))
      .join(GAP)
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** Columns on a terminal: wide characters take two. */
function width(text: string): number {
  let columns = 0;
  for (const char of text) columns += WIDE.test(char) ? 2 : 1;
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
