import type { UnreadReason } from '../domain/comparison.ts';

/** A content that is not read further: it is told by size and hash. */
export class UnreadError extends Error {
  readonly why: UnreadReason;

  constructor(why: UnreadReason, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'UnreadError';
    this.why = why;
  }
}
