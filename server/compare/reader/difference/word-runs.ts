import { diffArrays } from 'diff';
import type { WordRun } from '../../../domain/comparison.ts';

/** Characters of scripts that are written without spaces are words of their own. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}_]+|\s+|[^\s]/gu;
const MOST_EDITS = 2_000;

/** Parts a text into words, blanks and signs. */
export const wordsOf = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** Marks the words of two texts that stayed, came and went; what is too different goes as a whole. */
export function wordRuns(before: readonly string[], after: readonly string[]): readonly WordRun[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (parts === undefined) return joined([run('deleted', before.join('')), run('added', after.join(''))]);
  const runs = parts.map(({ value, added, removed }) =>
    run(added ? 'added' : removed ? 'deleted' : 'same', value.join('')),
  );
  return joined(grouped(runs));
}

const run = (change: WordRun['change'], text: string): WordRun => ({ change, text });

/** A blank alone between two changes belongs to both: `red car` for `blue bus` is one change and not two. */
function grouped(runs: readonly WordRun[]): readonly WordRun[] {
  return runs.flatMap((one, at) => {
    const between = one.change === 'same' && one.text.trim() === '' && at > 0 && at < runs.length - 1;
    return between ? [run('deleted', one.text), run('added', one.text)] : [one];
  });
}

/** Runs in a row that changed: what went, then what came. */
function joined(runs: readonly WordRun[]): readonly WordRun[] {
  const out: WordRun[] = [];
  let [gone, come] = ['', ''];
  const flush = (): void => {
    if (gone !== '') out.push(run('deleted', gone));
    if (come !== '') out.push(run('added', come));
    [gone, come] = ['', ''];
  };
  for (const { change, text } of runs) {
    if (change === 'deleted') gone += text;
    else if (change === 'added') come += text;
    else {
      flush();
      out.push(run('same', text));
    }
  }
  flush();
  return out.filter(({ text }) => text !== '');
}
