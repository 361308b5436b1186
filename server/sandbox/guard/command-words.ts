import type { ShellNode } from './shell-parser.ts';
import { type ShellWord, shellWord } from './shell-word.ts';

/**
 * The words of a command, its name first. The grammar takes an escaped blank for a gap between words and ends some words at
 * a backslash: what the shell would join is joined here.
 */
export function commandWords(command: ShellNode): readonly ShellWord[] {
  const words: ShellWord[] = [];
  let end = 0;
  for (const node of wordNodes(command)) {
    const start = node.startIndex - command.startIndex;
    const gap = GAP.exec(command.text.slice(end, start));
    const word = shellWord(node);
    end = node.endIndex - command.startIndex;
    const last = words.at(-1);
    if (last === undefined || gap === null) {
      words.push(word);
      continue;
    }
    const [, before = '', blank = '', after = ''] = gap;
    if (blank === '') words.splice(-1, 1, joined(last, before, word));
    else words.splice(-1, 1, joined(last, before, NOTHING), joined(NOTHING, after, word));
  }
  return words;
}

/** Escaped blanks that belong to the word before, blanks, escaped blanks that belong to the word behind. */
const GAP = /^((?:\\[ \t\v\f])*)([ \t\v\f]*)((?:\\[ \t\v\f])*)$/;
const NOTHING: ShellWord = { raw: '', text: '' };

function joined(left: ShellWord, gap: string, right: ShellWord): ShellWord {
  const known = left.text !== undefined && right.text !== undefined;
  const blanks = gap.replaceAll('\\', '');
  return { raw: `${left.raw}${gap}${right.raw}`, text: known ? `${left.text}${blanks}${right.text}` : undefined };
}

function wordNodes(command: ShellNode): readonly ShellNode[] {
  const nodes: ShellNode[] = [];
  for (let at = 0; at < command.childCount; at++) {
    const field = command.fieldNameForChild(at);
    const child = command.child(at);
    if (child !== null && (field === 'name' || field === 'argument')) nodes.push(child);
  }
  return nodes;
}
