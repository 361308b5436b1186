/** What the server answers instead (RFC 9457), or that it could not be reached (status 0, code `offline`). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  /** Which parts of the request do not fit. */
  readonly faults: readonly { readonly at: string; readonly message: string }[];

  /** It may well be otherwise in a moment: the server is away, starting or busy. */
  get passing(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }

  /** Asking again does not mend it: it is not there, or not taken. */
  get final(): boolean {
    return this.status >= 400 && this.status < 500 && !this.passing;
  }

  constructor(status: number, body: unknown, options?: ErrorOptions) {
    const { code, detail, title, hint, errors } = asRecord(body);
    super(textOf(detail) ?? textOf(title) ?? `HTTP ${status}`, options);
    this.name = 'Problem';
    this.status = status;
    this.code = textOf(code) ?? (status === 0 ? 'offline' : 'internal');
    this.hint = textOf(hint);
    this.faults = Array.isArray(errors) ? errors.map(faultOf) : [];
  }
}

function faultOf(value: unknown): { readonly at: string; readonly message: string } {
  const { at, message } = asRecord(value);
  return { at: textOf(at) ?? '', message: textOf(message) ?? '' };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  value instanceof Object ? (value as Readonly<Record<string, unknown>>) : {};
