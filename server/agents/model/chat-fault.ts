import { type CallFailure, failure } from '../driver.ts';
import { visibleText } from '../visible-text.ts';

/** An endpoint that may answer when it is asked again. */
interface Busy {
  readonly kind: 'busy';
  readonly detail: string;
  readonly after_ms?: number;
}

export type ChatFault = Busy | CallFailure;

const MOST_ERROR_BYTES = 65_536;
const BUSY = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
const CONTEXT_FULL =
  /context_length_exceeded|context (?:length|window|size)|maximum context|prompt is too long|too many tokens|input is too long/i;

/** Judges an answer that is not a success. */
export async function faultOfResponse(response: Response): Promise<ChatFault> {
  const text = await firstBytes(response, MOST_ERROR_BYTES);
  const detail = `the endpoint answered ${response.status}${text === '' ? '' : `: ${noted(text)}`}`;
  const after_ms = retryAfter(response.headers);
  return faultOf({ status: response.status, text, detail, ...(after_ms === undefined ? {} : { after_ms }) });
}

/** Judges an error event within a stream. */
export function faultOfEvent(error: string | { readonly message?: unknown; readonly code?: unknown }): ChatFault {
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  const code = typeof error === 'string' ? undefined : Number(error.code);
  const status =
    code !== undefined && Number.isInteger(code) ? code : /overloaded|rate.?limit|server_error/i.test(text) ? 503 : 400;
  return faultOf({ status, text, detail: `the endpoint broke off: ${noted(text)}` });
}

/** Judges what `fetch` threw; surprises that are not the network's are thrown on. */
export function faultOfError(error: unknown): ChatFault {
  if (!(error instanceof Error) || error instanceof SyntaxError) throw error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code} ` : '';
  return { kind: 'busy', detail: `the endpoint could not be reached: ${code}${noted(cause.message)}` };
}

/** An endpoint's words, short and harmless. */
export function noted(text: string): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}

function faultOf(fault: {
  readonly status: number;
  readonly text: string;
  readonly detail: string;
  readonly after_ms?: number;
}): ChatFault {
  const { status, text, detail, after_ms } = fault;
  if (CONTEXT_FULL.test(text)) return failure('agent_error', `the model's context is full (${detail})`);
  if (!BUSY.has(status) || /insufficient_quota/.test(text)) return failure('agent_error', detail);
  return { kind: 'busy', detail, ...(after_ms === undefined ? {} : { after_ms }) };
}

/** RFC 9110 10.2.3: seconds or a date. */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

async function firstBytes(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= limit) break;
  }
  return text.slice(0, limit);
}
