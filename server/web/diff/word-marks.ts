/** A piece of a line, and whether the other side has it too. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** Letters and digits that belong together, spaces, or one sign; of writing without spaces each character is a word. */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Comparing every word with every other costs their product: above this, all between the common ends is marked. */
const MOST = 40_000;
/** Lines with less in common than this are other lines, and marks in them only noise. */
const LEAST_COMMON = 0.2;

/** Marks the words in which two lines differ. Nothing is marked where they have next to nothing in common. */
export function wordMarks(
  old: string,
  fresh: string,
): { readonly old: readonly Piece[]; readonly new: readonly Piece[] } {
  const [a, b] = [old.match(WORD) ?? [], fresh.match(WORD) ?? []];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const common = commonWords(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const kept = [...a.keys()].map((at) => at < head || at >= a.length - tail || common.old.has(at - head));
  const keptNew = [...b.keys()].map((at) => at < head || at >= b.length - tail || common.new.has(at - head));
  const length = a.reduce((sum, word, at) => sum + (kept[at] ? word.trim().length : 0), 0);
  if (length < LEAST_COMMON * Math.max(old.trim().length, fresh.trim().length))
    return { old: plain(old), new: plain(fresh) };
  return { old: pieces(a, kept), new: pieces(b, keptNew) };
}

/** Places of a longest common run of words, in either list. */
function commonWords(
  a: readonly string[],
  b: readonly string[],
): { readonly old: ReadonlySet<number>; readonly new: ReadonlySet<number> } {
  const found = { old: new Set<number>(), new: new Set<number>() };
  if (a.length * b.length > MOST) return found;
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      found.old.add(i++);
      found.new.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}

const plain = (text: string): readonly Piece[] => (text === '' ? [] : [{ text, changed: false }]);

function pieces(words: readonly string[], kept: readonly boolean[]): readonly Piece[] {
  const found: Piece[] = [];
  for (const [at, text] of words.entries()) {
    const changed = kept[at] !== true;
    const last = found.at(-1);
    if (last?.changed === changed) found[found.length - 1] = { text: last.text + text, changed };
    else found.push({ text, changed });
  }
  return found;
}
