import { visible } from '../shell/visible.ts';
import type { DiffRow } from './diff-rows.ts';

/** Characters; longer lines are cut: a browser stands still over lines of megabytes. */
export const LONGEST = 2_000;

const TAB = 4;
const LEAST = 20;
/** Of the words that say how a line is cut. */
const SAID = 30;
/** Written in two columns: ideographs, kana, hangul, full-width forms, pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3ffff}]/gu;

/** The columns that the widest line of a difference takes: so far one can scroll to see its end. */
export const longestLine = (rows: readonly DiffRow[]): number =>
  rows.reduce(
    (most, row) => (row.kind === 'line' ? Math.max(most, columns(row.old?.text), columns(row.new?.text)) : most),
    LEAST,
  );

/** An upper bound of the columns that a line takes as it is shown. */
export function columns(line = ''): number {
  const text = line.slice(0, LONGEST);
  const said = line.length > LONGEST ? SAID : 0;
  if (PLAIN.test(text)) return text.length + said;
  const shown = visible(text);
  const tabs = shown.split('\t').length - 1;
  return shown.length + (shown.match(WIDE)?.length ?? 0) + tabs * (TAB - 1) + said;
}

const PLAIN = /^[ -~]*$/;
