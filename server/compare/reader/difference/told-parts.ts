import type { DocumentText } from '../documents/document.ts';
import { OUTPUT } from '../limits.ts';
import type { SectionPair } from './slide-pairs.ts';

/** Parts of which the pictures or the links tell. */
const NAMED = /(^|\/)(media|pictures)\/|\/$/i;
const LINKS = /\.rels$/;
/** The texts of a workbook's cells. */
const STRINGS = /(^|\/)sharedStrings\.xml$/;

/**
 * Files of a package that differ and of which nothing was told: formatting, settings, and parts that were compared where what
 * differs is none of their text. @param told the parts of the document of which a difference is given out
 */
export function untoldParts(
  before: DocumentText,
  after: DocumentText,
  told: readonly SectionPair[],
): readonly string[] {
  const spoken = new Set(told.flatMap((pair) => [...(pair.before?.parts ?? []), ...(pair.after?.parts ?? [])]));
  const sheets = [...before.sections, ...after.sections].filter(({ kind }) => kind === 'sheet');
  // A text that comes between others gives new numbers to all of them, and to each cell that has one.
  const numbered = new Set(sheets.flatMap(({ parts }) => parts ?? []));
  const differs = (name: string): boolean => before.parts.get(name) !== after.parts.get(name);
  const all = [...new Set([...before.parts.keys(), ...after.parts.keys()])].filter(differs);
  const renumbered = all.some((name) => STRINGS.test(name));
  const names = all.filter(
    (name) => !NAMED.test(name) && !spoken.has(name) && !STRINGS.test(name) && !(renumbered && numbered.has(name)),
  );
  const others = names.filter((name) => !LINKS.test(name));
  return (others.length > 0 || told.length > 0 ? others : all).sort().slice(0, OUTPUT.parts);
}
