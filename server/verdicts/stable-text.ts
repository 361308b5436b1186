import { withoutColours } from './readers/read-output.ts';

/** Folders whose absolute paths must not stand in a verdict. */
export interface Places {
  /** Paths below one are told relative to it; inner folders first. */
  readonly bases: readonly string[];
  /** The run's own temporary folders. */
  readonly temporary: readonly string[];
}

const LIMIT = 4_000;

/**
 * Rewrites what a run said so that the same run says the same again: no stack lines, absolute paths, temporary names,
 * local ports, process ids, addresses or measured times. At most 4,000 characters.
 */
export function stableText(text: string, places: Places): string {
  const lines = withoutColours(text)
    .split(/\r?\n/)
    .filter((line) => !STACK_LINE.test(line));
  const stable = CHANGING.reduce(
    (words, [pattern, name]) => words.replace(pattern, name),
    relativePaths(lines.join('\n'), places),
  );
  const trimmed = stable.trimEnd();
  return trimmed.length <= LIMIT ? trimmed : `${trimmed.slice(0, LIMIT - 1)}…`;
}

const STACK_LINE = /^\s+at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\)|\(index \d+\)|\(node:[^)]*\))$/;

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.:])(127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]|::1):\d{2,5}\b/g, '$1:{port}'],
  [/\b\d+\.\d+ ?ms\b/g, '{time} ms'],
  [/\b(pid|process)([ :=]+)\d+\b/gi, '$1$2{pid}'],
  [/\b0x[0-9a-f]{6,}\b/gi, '{address}'],
];

/** Tells paths of the run's folders relative to them, and temporary ones by a fixed name. */
export function relativePaths(text: string, { bases, temporary }: Places): string {
  const own = temporary.map((folder) => new RegExp(`(?:file://)?${literal(folder)}[^\\s'"\`)\\]},;:]*`, 'g'));
  const words = own.reduce((rest, pattern) => rest.replace(pattern, '{tmp}'), text);
  return bases.reduce((rest, base) => relativeTo(rest, base), words);
}

const relativeTo = (text: string, base: string): string =>
  text.replaceAll(`file://${base}/`, '').replaceAll(`${base}/`, '').replaceAll(base, '.');

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
