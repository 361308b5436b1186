import { DevLoopError } from '../domain/errors.ts';
import { filesOf, type OpenSide, READ_MS, type Reading, type TakenSides } from './compare-taken.ts';
import { runReader } from './reader-process.ts';
import { UnreadError } from './unread-error.ts';

export interface DrawRequest {
  readonly path: string;
  readonly before?: OpenSide;
  readonly after?: OpenSide;
  readonly show: 'before' | 'after' | 'difference';
  /** Of a PDF, from 1. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

/** Draws what contents that were gone through look like, as PNG. Throws not_found. */
export async function drawTaken(
  sides: TakenSides,
  { show, page, ...reading }: Reading & Pick<DrawRequest, 'show' | 'page'>,
): Promise<Buffer> {
  const { folder, signal, path, sandbox } = reading;
  const shown = show === 'difference' ? [sides.before, sides.after] : [sides[show]];
  const [kind, ...others] = new Set(shown.map((side) => side?.kind));
  if (others.length > 0 || (kind !== 'pdf' && kind !== 'picture') || shown.some((side) => side?.kept !== true)) {
    throw noPicture(path, 'it is no picture, PDF or slide, is too large, or is not on both sides');
  }
  const request = { task: 'picture', kind, show, page, ...filesOf(sides) } as const;
  try {
    const out = await runReader({ request, folder, sandbox: await sandbox(), timeout_ms: READ_MS, signal });
    const end = out.indexOf('\n');
    const answer: unknown = JSON.parse(out.toString('utf8', 0, end));
    const detail =
      answer !== null && typeof answer === 'object' && 'detail' in answer ? String(answer.detail) : undefined;
    if (detail !== undefined) throw noPicture(path, detail);
    return out.subarray(end + 1);
  } catch (error) {
    if (error instanceof UnreadError) throw noPicture(path, error.message, error);
    throw error;
  }
}

function noPicture(path: string, why: string, cause?: unknown): DevLoopError {
  return new DevLoopError('not_found', `There is no picture of ${path}: ${why}.`, { data: { path }, cause });
}
