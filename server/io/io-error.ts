/** What only this folder finds out; whatever the system refuses keeps Node's own error and code. */
export type IoErrorCode = 'path_refused' | 'too_large' | 'owned' | 'log_damaged';

/** A refusal of an io function, for the caller to put into its own words. */
export class IoError extends Error {
  readonly code: IoErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: IoErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'IoError';
    this.code = code;
    this.data = data;
  }
}

/** Tells whether a caught value is an error of Node or of this folder with one of these codes; a quota's is EDQUOT, though Node has none for it. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(codeOf(error.code, error.message))
  );
}

/** Node tells of some refusals in the system's words only. */
function codeOf(code: string, message: string): string {
  const isNamed = code !== '' && !code.startsWith('Unknown');
  return isNamed ? code : (UNNAMED.find(([words]) => words.test(message))?.[1] ?? code);
}

const UNNAMED: readonly (readonly [words: RegExp, code: string])[] = [
  [/Unknown error: Disk quota exceeded|Unknown system error -(?:122|69)\b/, 'EDQUOT'],
  [/Unknown error: No space left on device/, 'ENOSPC'],
  [/Unknown error: Read-only file system/, 'EROFS'],
];
