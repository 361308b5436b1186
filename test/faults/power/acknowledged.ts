/** What somebody was told to be done, and relies on. */
export type Acknowledged =
  | { readonly kind: 'commit'; readonly oid: string; readonly tag?: string }
  | { readonly kind: 'ref'; readonly ref: string; readonly oid: string }
  | { readonly kind: 'rescue'; readonly id: string }
  /** A log had so many lines. */
  | { readonly kind: 'lines'; readonly count: number }
  | { readonly kind: 'nothing' };
