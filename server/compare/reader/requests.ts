/** What the reader's process is asked for; files are names in its folder. */
export interface ReadRequest {
  readonly task: 'compare' | 'picture';
  readonly kind: 'document' | 'pdf' | 'picture';
  readonly before?: string;
  readonly after?: string;
  /** For a picture: which side, and which page from 1. */
  readonly show?: 'before' | 'after' | 'difference';
  readonly page?: number;
}
