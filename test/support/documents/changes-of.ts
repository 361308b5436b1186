import type { SectionDifference } from '../../../server/domain/comparison.ts';

/** What changed, a line a block: `Body, paragraph 2: a {+new+} word`. */
export function changesOf(sections: readonly SectionDifference[]): readonly string[] {
  return sections.flatMap(({ name, change, blocks }) => {
    const changed = blocks.filter((block) => block.change !== 'same');
    if (changed.length === 0) return [`${name} ${change}`];
    return changed.map(({ at, style, words }) => {
      const text = words.map((word) =>
        word.change === 'same' ? word.text : word.change === 'added' ? `{+${word.text}+}` : `[-${word.text}-]`,
      );
      return `${name}, ${at.after ?? at.before}${style === undefined ? '' : ` (${style})`}: ${text.join('')}`;
    });
  });
}
