import { createHash } from 'node:crypto';
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';

/** Size and hash of a content that is not shown. */
export interface ContentSide {
  readonly size: number;
  readonly sha256: string;
}

export type ContentDiff =
  | { readonly kind: 'same' }
  /** `patch` is in the unified format, with the contents' own bytes. */
  | { readonly kind: 'text'; readonly patch: Uint8Array; readonly additions: number; readonly deletions: number }
  /** Compared by size and hash only: no text, or more than the limits allow. */
  | {
      readonly kind: 'opaque';
      readonly why: 'binary' | 'too_large' | 'too_different';
      readonly from?: ContentSide;
      readonly to?: ContentSide;
    };

export interface DiffRequest {
  /** For the patch's header, where it is quoted as git quotes names. */
  readonly path: string;
  /** Absent where the file is new, or gone. */
  readonly from?: Uint8Array | undefined;
  readonly to?: Uint8Array | undefined;
  /** Bytes of either side; 2 MiB where absent. */
  readonly limit?: number;
  /** Milliseconds; 2,000 where absent. */
  readonly timeout_ms?: number;
}

/** Compares two contents line by line. Never takes longer than its limits. */
export function textDiff({ path, from, to, limit = 2 << 20, timeout_ms = 2000 }: DiffRequest): ContentDiff {
  if (from !== undefined && to !== undefined && Buffer.compare(from, to) === 0) return { kind: 'same' };
  const sides = [from, to].filter((side) => side !== undefined);
  if (sides.some((side) => side.length > limit)) return opaque('too_large', from, to);
  if (sides.some(isBinary)) return opaque('binary', from, to);
  // One character a byte: the lines come out as the bytes that they were.
  const [before, after] = [from, to].map((side) => Buffer.from(side ?? []).toString('latin1'));
  const names = [from === undefined ? '/dev/null' : `a/${path}`, to === undefined ? '/dev/null' : `b/${path}`] as const;
  const options = { context: 3, timeout: timeout_ms };
  const patch =
    oneSided(names, before ?? '', after ?? '') ??
    structuredPatch(...names, before ?? '', after ?? '', undefined, undefined, options);
  if (patch === undefined) return opaque('too_different', from, to);
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    kind: 'text',
    patch: Buffer.from(formatPatch(patch, FILE_HEADERS_ONLY), 'latin1'),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** Where one side has no line, all of the other came or went, and nothing is searched for; undefined where both have some. */
function oneSided(names: readonly [string, string], before: string, after: string): StructuredPatch | undefined {
  if (before !== '' && after !== '') return undefined;
  const [mark, text] = before === '' ? ['+', after] : ['-', before];
  const lines = text.split('\n').map((line) => mark + line);
  const open = lines.pop() ?? mark;
  const count = lines.length + (open === mark ? 0 : 1);
  if (open !== mark) lines.push(open, '\\ No newline at end of file');
  const [oldLines, newLines] = before === '' ? [0, count] : [count, 0];
  const hunks = count === 0 ? [] : [{ oldStart: 1, oldLines, newStart: 1, newLines, lines }];
  return { oldFileName: names[0], newFileName: names[1], oldHeader: undefined, newHeader: undefined, hunks };
}

/** As git decides it. */
const isBinary = (content: Uint8Array): boolean => content.subarray(0, 8000).includes(0);

/** Two contents by size and hash. */
export function opaque(
  why: 'binary' | 'too_large' | 'too_different',
  from: Uint8Array | undefined,
  to: Uint8Array | undefined,
): ContentDiff {
  return { kind: 'opaque', why, ...(from && { from: sideOf(from) }), ...(to && { to: sideOf(to) }) };
}

function sideOf(content: Uint8Array): ContentSide {
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
