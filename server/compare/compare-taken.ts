import { type Comparison, type Finding, findingSchema, type UnreadReason } from '../domain/comparison.ts';
import type { ContentKind } from './content-kind.ts';
import type { ReadFolder } from './read-folder.ts';
import type { ReadRequest } from './reader/requests.ts';
import { type Confinement, readUnder, runReader } from './reader-process.ts';
import { CONTENT_LIMITS, type Content, type TakenContent } from './take-content.ts';
import { textDiffApart } from './text-diff-apart.ts';
import { UnreadError } from './unread-error.ts';

/** Opens a content; resolves undefined where there is none. */
export type OpenSide = () => Promise<Content | undefined>;

export interface CompareRequest {
  /** For the header of a text's patch. */
  readonly path: string;
  /** Absent where the file is new, or gone. */
  readonly before?: OpenSide;
  readonly after?: OpenSide;
  /** Milliseconds for lines of text; 2,000 where absent. */
  readonly text_ms?: number;
  /** Milliseconds for reading documents; 30,000 where absent. */
  readonly timeout_ms?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Compared {
  readonly comparison: Comparison;
  /** Of texts, in the unified format with their own bytes (UTF-16 as UTF-8). */
  readonly patch?: Uint8Array;
}

/** How a document is read: where its contents are, and how its reader is held. */
export interface Reading {
  readonly path: string;
  readonly folder: ReadFolder;
  readonly sandbox: () => Promise<Confinement>;
  /** Waits until a process may be started. */
  readonly inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The same for texts, which wait for no document. */
  readonly inTextSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly text_ms?: number;
  readonly timeout_ms?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TakenSides {
  readonly before: TakenContent | undefined;
  readonly after: TakenContent | undefined;
}

export const READ_MS = 30_000;
const TEXT_MS = 2_000;

/** Compares two contents that were gone through, by their kind. */
export async function compareTaken(sides: TakenSides, reading: Reading): Promise<Compared> {
  const { before, after } = sides;
  const contents = { ...(before && { before: before.side }), ...(after && { after: after.side }) };
  const unread = (why: UnreadReason, detail?: string): Compared => ({
    comparison: { kind: 'binary', contents, why, ...(detail !== undefined && { detail }) },
  });
  if (before && after && before.side.sha256 === after.side.sha256) return { comparison: { kind: 'same', contents } };
  const [kind, other] = kindsOf(sides);
  if (kind === undefined) return { comparison: { kind: 'same', contents } };
  if (other !== undefined) return unread('kinds_differ', `${kind} and ${other}`);
  if (kind === 'binary') return unread('binary');
  if (kind === 'other_picture') return unread('unsupported', 'a TIFF or HEIC picture, which is not read');
  if (kind === 'legacy')
    return unread('legacy_format', 'an office document of an old format, or one that has a password');
  if (kind === 'text') return reading.inTextSlot(() => comparedText(sides, reading, contents));
  if ([before, after].filter(isThere).some(({ kept }) => !kept))
    return unread('too_large', `more than ${CONTENT_LIMITS.document} bytes`);
  const confinement = await reading.sandbox();
  const read_under = readUnder(confinement);
  try {
    const request = { task: 'compare', kind, ...filesOf(sides) } as const;
    const finding = await reading.inSlot(() => readFinding(request, reading, confinement));
    return { comparison: { ...finding, contents, read_under: [...read_under] } };
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    return {
      comparison: { kind: 'binary', contents, why: error.why, detail: error.message, read_under: [...read_under] },
    };
  }
}

/** The kinds of two contents, each once; an empty one is of the other's kind, and beside what is no text nothing counts. */
function kindsOf({ before, after }: TakenSides): readonly PlainKind[] {
  const sides = [before, after].filter((side) => side !== undefined);
  const filled = sides.filter(({ side }) => side.size > 0);
  const kinds = [...new Set((filled.length > 0 ? filled : sides).map(({ kind }) => plainKind(kind)))];
  return kinds.includes('binary') ? ['binary'] : kinds;
}

/** The names of the files that a reader gets; an empty content is none. */
export function filesOf({ before, after }: TakenSides): { readonly before?: string; readonly after?: string } {
  return { ...(isThere(before) && { before: 'before' }), ...(isThere(after) && { after: 'after' }) };
}

const isThere = (side: TakenContent | undefined): side is TakenContent => side !== undefined && side.side.size > 0;

type PlainKind = Exclude<ContentKind, 'utf-16le' | 'utf-16be'>;

function plainKind(kind: ContentKind): PlainKind {
  return kind === 'utf-16le' || kind === 'utf-16be' ? 'text' : kind;
}

async function comparedText(
  { before, after }: TakenSides,
  { path, text_ms = TEXT_MS, signal }: Reading,
  contents: Comparison['contents'],
): Promise<Compared> {
  const unread = (why: UnreadReason): Compared => ({ comparison: { kind: 'binary', contents, why } });
  if ([before, after].some((side) => side !== undefined && side.bytes === undefined)) return unread('too_large');
  const [from, to] = [before, after].map((side) => side && utf8Of(side));
  const diff = await textDiffApart({ path, from, to, limit: CONTENT_LIMITS.text * 2, timeout_ms: text_ms }, signal);
  if (diff.kind === 'opaque') return unread(diff.why);
  const { additions, deletions, patch } =
    diff.kind === 'same' ? { additions: 0, deletions: 0, patch: new Uint8Array() } : diff;
  const wide = [after, before].map((side) => side?.kind).find((kind) => kind === 'utf-16le' || kind === 'utf-16be');
  return {
    comparison: { kind: 'text', contents, additions, deletions, ...(wide !== undefined && { encoding: wide }) },
    patch,
  };
}

function utf8Of({ kind, bytes = new Uint8Array() }: TakenContent): Uint8Array {
  return kind === 'utf-16le' || kind === 'utf-16be' ? Buffer.from(new TextDecoder(kind).decode(bytes)) : bytes;
}

async function readFinding(
  request: ReadRequest,
  { folder, timeout_ms = READ_MS, signal }: Reading,
  sandbox: Confinement,
): Promise<Finding> {
  const out: Uint8Array[] = [];
  const running = runReader({ request, folder: await folder.path(), sandbox, timeout_ms, signal, out });
  const failure = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  // What it found before it failed counts: of a PDF the text, where its pages could not be drawn.
  const line = Buffer.concat(out).toString().split('\n').slice(0, -1).at(-1);
  if (failure !== undefined && (line === undefined || !(failure instanceof UnreadError))) throw failure;
  try {
    return findingSchema.parse(JSON.parse(line ?? ''));
  } catch (error) {
    throw new UnreadError('crashed', 'the program that reads it gave no answer', { cause: error });
  }
}
