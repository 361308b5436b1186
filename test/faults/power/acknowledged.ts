/** What somebody was told to be done, and relies on. */
export type Acknowledged =
  | { readonly kind: 'commit'; readonly oid: string; readonly tag?: string }
  | { readonly kind: 'ref'; readonly ref: string; readonly oid: string }
  | { readonly kind: 'rescue'; readonly id: string }
  /** A log had so many lines. */
  | { readonly kind: 'lines'; readonly count: number }
  | { readonly kind: 'nothing' }
  /** A user's files are about to change: a restore's all or none, a person's one by one. */
  | { readonly kind: 'will'; readonly by: 'restore' | 'person'; readonly files: readonly FileChange[] }
  /** They have changed, for good where it is a restore or the person synced them. */
  | { readonly kind: 'did'; readonly by: 'restore' | 'person'; readonly isDurable: boolean };

/** Contents; absent where there is no file. */
export interface FileChange {
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}
