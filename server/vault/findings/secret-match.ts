/** One secret in a text. */
export interface SecretMatch {
  readonly rule: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** What is secret; never leaves the process. */
  readonly secret: string;
}
