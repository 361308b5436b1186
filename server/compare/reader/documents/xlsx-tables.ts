import { readXml } from '../package/read-xml.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import type { Budget } from './document.ts';

/** The texts that cells refer to by number. */
export function sharedStrings(zip: ZipPackage, part: string, budget: Budget): readonly string[] {
  const strings: string[] = [];
  const bytes = zip.read(part);
  if (bytes === undefined) return strings;
  let text = '';
  let within = false;
  readXml(bytes, part, {
    // How words are pronounced, in Japanese.
    skip: new Set(['rPh']),
    open: ({ name }) => {
      if (name === 'si') text = '';
      within = name === 't';
    },
    text: (piece) => {
      if (within) text += piece;
    },
    close: (name) => {
      within = false;
      if (name !== 'si') return;
      budget.take(text);
      strings.push(text);
    },
  });
  return strings;
}

/** Numbers of the number formats that every workbook has for dates and times (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** Numbers of the cell formats that show a number as a date. */
export function dateStyles(zip: ZipPackage, part: string): ReadonlySet<number> {
  const styles = new Set<number>();
  const bytes = zip.read(part);
  if (bytes === undefined) return styles;
  const dates = new Set(DATE_FORMATS);
  let count = -1;
  readXml(bytes, part, {
    open: ({ name, attribute }) => {
      if (name === 'numFmt' && isDateFormat(attribute('formatCode'))) dates.add(Number(attribute('numFmtId')));
      else if (name === 'cellXfs') count = 0;
      else if (name === 'xf' && count >= 0) {
        if (dates.has(Number(attribute('numFmtId')))) styles.add(count);
        count++;
      }
    },
    close: (name) => {
      if (name === 'cellXfs') count = -1;
    },
  });
  return styles;
}

/** Letters of dates and times outside of quotes and brackets. */
const isDateFormat = (code: string): boolean => /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, ''));
