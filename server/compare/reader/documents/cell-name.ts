/** The letters of a column from its number, from 0: `A` to `Z`, `AA` … */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26) - 1;
  return (rest < 0 ? '' : columnName(rest)) + String.fromCharCode(65 + (column % 26));
}

/** Parts a cell's name into the letters of its column and the number of its row; undefined where it is none. */
export function parseCellName(name: string): { readonly column: string; readonly row: number } | undefined {
  const [, column, row] = /^([A-Z]{1,3})([0-9]{1,7})$/.exec(name) ?? [];
  return column === undefined || row === undefined ? undefined : { column, row: Number(row) };
}
