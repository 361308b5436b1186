import type { BytePath } from '../domain/byte-path.ts';
import type { PackedFiles } from './packed-files.ts';

/** What a content thread is to work on. */
export interface WorkerOrders {
  /** Absolute path of the folder whose files are read, without links in it. */
  readonly root: string;
  /** Absolute path of a repository's folder `objects`. */
  readonly objects: string;
  /** Files of this size and more are not taken; bytes. */
  readonly largeBytes: number;
  /** Absolute paths of folders `objects` of the user's repositories, whose packs may hold contents compressed. */
  readonly foreign: readonly string[];
}

export type ContentRequest =
  | { readonly kind: 'begin'; readonly orders: WorkerOrders }
  | { readonly kind: 'read'; readonly paths: readonly BytePath[] }
  | { readonly kind: 'finish' | 'abort' };

export type ContentReply =
  /** In the order of the paths. */
  | { readonly kind: 'read'; readonly files: PackedFiles }
  | { readonly kind: 'done' }
  /** `code` as the system gave it. */
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string };
