import { HELD_BACK, KEY_REST, SECRETS } from './secret-patterns.ts';

const MARK = '[redacted]';
const SHORTEST_KNOWN = 6;

/** Takes secrets out of a stream of text, wherever its chunks are cut: the pieces together are what the whole text would give. */
export interface Redactor {
  push(text: string): string;
  /** What was held back; afterwards the stream begins anew. */
  flush(): string;
}

/** Takes secrets out of one text. @param known values that are secret whatever they look like. */
export function redact(text: string, known: readonly string[] = []): string {
  const redactor = createRedactor(known);
  return redactor.push(text) + redactor.flush();
}

/** Takes secrets out of every string in a JSON value, names of members included. */
export function redactJson(value: unknown, known: readonly string[] = []): unknown {
  if (typeof value === 'string') return redact(value, known);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name, known), redactJson(item, known)]),
  );
}

export function createRedactor(known: readonly string[] = []): Redactor {
  const shape = shapeWith(known);
  const hold = known.reduce((most, value) => Math.max(most, value.length + 1), HELD_BACK);
  let state = START;
  const take = (text: string, keep: number): string => {
    const step = redactUpTo({ ...state, buffer: state.buffer + text }, { shape, keep });
    state = step.state;
    return step.out;
  };
  return {
    push: (text) => take(text, hold),
    flush: () => {
      const out = take('', 0);
      state = START;
      return out;
    },
  };
}

interface RedactState {
  /** Text not yet given out, after `seen` characters that were: the pattern looks one back. */
  readonly buffer: string;
  readonly seen: number;
  /** Inside of a private key whose end has not come. */
  readonly inKey: boolean;
}

const START: RedactState = { buffer: '', seen: 0, inKey: false };

/** A match that begins before the cut is whole in the buffer, since `keep` exceeds the longest match: it is taken although it crosses the cut. */
function redactUpTo(
  state: RedactState,
  { shape, keep }: { readonly shape: RegExp; readonly keep: number },
): { readonly out: string; readonly state: RedactState } {
  const { buffer } = state;
  const cut = wholeCharacters(buffer, Math.max(state.seen, buffer.length - keep));
  let at = state.seen;
  let inKey = state.inKey;
  let out = '';
  while (at < cut) {
    if (inKey) {
      const rest = matchAt(KEY_REST, buffer, at);
      at += rest?.[0].length ?? 0;
      inKey = rest?.groups?.end === undefined && (rest?.[0].length ?? 0) >= 3600;
      continue;
    }
    const match = matchAt(shape, buffer, at);
    if (match === null || match.index >= cut) {
      out += buffer.slice(at, cut);
      at = cut;
      continue;
    }
    out += buffer.slice(at, match.index) + (match.groups?.keep ?? match.groups?.keepUrl ?? '') + MARK;
    at = match.index + match[0].length;
    inKey = match.groups?.key !== undefined && match.groups.end === undefined && match[0].length >= 3600;
  }
  const seen = Math.min(1, at);
  return { out, state: { buffer: buffer.slice(at - seen), seen, inKey } };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function wholeCharacters(text: string, cut: number): number {
  const code = text.charCodeAt(cut - 1);
  return cut > 0 && cut < text.length && code >= 0xd800 && code <= 0xdbff ? cut - 1 : cut;
}

function shapeWith(known: readonly string[]): RegExp {
  const values = known.filter((value) => value.length >= SHORTEST_KNOWN).sort((a, b) => b.length - a.length);
  if (values.length === 0) return new RegExp(SECRETS.source, 'g');
  return new RegExp(
    `${values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')}|${SECRETS.source}`,
    'g',
  );
}
