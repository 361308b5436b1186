import type { WorkspaceFile } from '../../domain/point.ts';

/** A large file's content, and the size in bytes. */
export interface LargeFile {
  readonly sha256: string;
  readonly size: number;
}

/** A content as a listing tells of it. */
export interface ListedObject extends LargeFile {
  /** Since it was kept; milliseconds, by the clock of whoever keeps it. */
  readonly age_ms: number;
}

/** Where they are kept, as a workspace's file says it; absent is the store's own folder. */
export type ObjectPlace = WorkspaceFile['objects'];

/**
 * Keeps the contents of large files by their sha256, each written once. What cannot be reached throws bucket_unreachable or
 * bucket_refused; what the disk refuses, Node's own error.
 */
export interface LargeObjects {
  /** Bytes; undefined where the content is not there. */
  sizeOf(sha256: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Gives the content in pieces, and throws store_damaged in place of its end where it is not that of the name. */
  read(file: LargeFile, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Resolves when the content is kept durably and was seen there. Nothing is kept of a content that is not that of the name. */
  put(file: LargeFile, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** In no order. */
  list(signal?: AbortSignal): AsyncIterable<ListedObject>;
  /** One that is not there is fine. */
  remove(sha256: string, signal?: AbortSignal): Promise<void>;
  /** Removes what broken-off writes left; of writes that may be under way, those that began longer ago than `age_ms`. */
  sweep(age_ms: number, signal?: AbortSignal): Promise<void>;
}
