import { DevLoopError, type ErrorCode } from './errors.ts';

interface Refusal {
  readonly code: ErrorCode;
  readonly because: string;
  readonly hint: string;
}

const DISK_FULL: Refusal = {
  code: 'disk_full',
  because: 'the disk is full',
  hint: 'Free some space and try again: nothing was lost.',
};
const DENIED: Refusal = {
  code: 'permission_denied',
  because: 'the system denied access',
  hint: 'Check who owns the data folder and its permissions.',
};
const READ_ONLY: Refusal = {
  code: 'read_only',
  because: 'the file system is read-only',
  hint: 'Choose a data folder that can be written.',
};
const NO_DESCRIPTOR: Refusal = {
  code: 'busy',
  because: 'too many files are open',
  hint: 'Try again in a moment; where it happens again, raise the limit of open files (ulimit -n).',
};
const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ['ENOSPC', DISK_FULL],
  ['EDQUOT', DISK_FULL],
  ['EROFS', READ_ONLY],
  ['EACCES', DENIED],
  ['EPERM', DENIED],
  ['EMFILE', NO_DESCRIPTOR],
  ['ENFILE', NO_DESCRIPTOR],
]);

/**
 * Puts what the system refused into our own words, for a caller that catches it and throws what it gets back.
 * @returns a DevLoopError disk_full, read_only, permission_denied or busy; any other error as it is.
 */
export function systemRefusal(
  error: unknown,
  attempt: { readonly doing: string; readonly data?: Readonly<Record<string, unknown>> },
): unknown {
  const refusal = error instanceof Error && 'code' in error ? refusalOf(String(error.code), error.message) : undefined;
  if (refusal === undefined) return error;
  return new DevLoopError(refusal.code, `${attempt.doing}: ${refusal.because}`, {
    ...(attempt.data === undefined ? {} : { data: attempt.data }),
    hint: refusal.hint,
    cause: error,
  });
}

/** Node has no code for a quota, and none but the system's words for some refusals to remove a file. */
const UNNAMED: readonly (readonly [words: RegExp, refusal: Refusal])[] = [
  [
    /Unknown error: No space left on device|Unknown error: Disk quota exceeded|Unknown system error -(?:122|69)\b/,
    DISK_FULL,
  ],
  [/Unknown error: Read-only file system/, READ_ONLY],
];

const refusalOf = (code: string, message: string): Refusal | undefined =>
  REFUSALS.get(code) ?? UNNAMED.find(([words]) => words.test(message))?.[1];
