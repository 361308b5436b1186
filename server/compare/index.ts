/** The entry of compare/: differences between two contents. */
export { type Comparer, type ComparerSetting, openComparer } from './comparer.ts';
export { comparisonText, summaryOf } from './comparison-text.ts';
export { readerCode } from './reader-code.ts';
export type { Content } from './take-content.ts';
export { type ContentDiff, textDiff } from './text-diff.ts';
