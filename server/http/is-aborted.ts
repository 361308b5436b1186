import { isDevLoopError } from '../domain/errors.ts';

/** Tells whether work was given up because its signal said so, however that was put into words on the way. */
export function isAborted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'AbortError' || (isDevLoopError(error) && error.data.aborted === true) || isAborted(error.cause)
  );
}
