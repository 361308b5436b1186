/** The entry of compare/: differences between two contents. */
export { type ContentDiff, type ContentSide, textDiff } from './text-diff.ts';
