import { DevLoopError } from '../domain/errors.ts';
import { filesOf, type OpenSide, READ_MS, type Reading, type TakenSides } from './compare-taken.ts';
import { officePages } from './office-pages.ts';
import { runReader } from './reader-process.ts';
import { UnreadError } from './unread-error.ts';

export interface DrawRequest {
  readonly path: string;
  readonly before?: OpenSide;
  readonly after?: OpenSide;
  readonly show: 'before' | 'after' | 'difference';
  /** Of a PDF or a document, from 1. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Drawing extends Reading {
  readonly show: DrawRequest['show'];
  readonly page: number;
  /** Absolute path of LibreOffice's program; absent where the system has none. */
  readonly office: string | undefined;
}

/** Draws what contents that were gone through look like, as PNG. Throws not_found. */
export async function drawTaken(sides: TakenSides, drawing: Drawing): Promise<Buffer> {
  try {
    return await drawing.inSlot(() => drawn(sides, drawing));
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    const { path } = drawing;
    throw new DevLoopError('not_found', `There is no picture of ${path}: ${error.message}.`, {
      data: { path },
      cause: error,
    });
  }
}

async function drawn(sides: TakenSides, { show, page, office, ...reading }: Drawing): Promise<Buffer> {
  const wanted = show === 'difference' ? (['before', 'after'] as const) : [show];
  const kind = drawnKind(sides, wanted);
  const sandbox = await reading.sandbox();
  const { signal } = reading;
  const folder = await reading.folder.path();
  if (kind === 'document') {
    for (const file of wanted) await officePages({ folder, file, office, sandbox, signal });
  }
  const shownKind = kind === 'picture' ? 'picture' : 'pdf';
  const request = { task: 'picture', kind: shownKind, show, page, ...filesOf(sides) } as const;
  const out = await runReader({ request, folder, sandbox, timeout_ms: READ_MS, signal });
  const end = out.indexOf('\n');
  const answer: unknown = JSON.parse(out.toString('utf8', 0, end));
  if (answer !== null && typeof answer === 'object' && 'detail' in answer) {
    throw new UnreadError('damaged', String(answer.detail));
  }
  return out.subarray(end + 1);
}

function drawnKind(sides: TakenSides, wanted: readonly ('before' | 'after')[]): 'document' | 'pdf' | 'picture' {
  const shown = wanted.map((name) => sides[name]);
  if (shown.includes(undefined)) throw new UnreadError('binary', 'it is not there on that side');
  if (shown.some((side) => side?.kept !== true))
    throw new UnreadError('binary', 'it is no picture or document, or is too large');
  const [kind, other] = new Set(shown.map((side) => side?.kind));
  if (other !== undefined) throw new UnreadError('kinds_differ', 'one side is of another kind than the other');
  if (kind === 'document' || kind === 'pdf' || kind === 'picture') return kind;
  throw new UnreadError('binary', 'it is no picture or document');
}
