/** What is asked of a bucket. */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array; readonly sha256: string };
  /** Statuses that are no failure. */
  readonly ok: readonly number[];
  readonly signal?: AbortSignal | undefined;
}
