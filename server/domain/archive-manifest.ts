import type { BytePath } from './byte-path.ts';
import type { TreeEntry } from './commit.ts';
import type { Oid } from './ids.ts';

/** What an archive of a revision holds, to be held against it. */
export interface ArchiveManifest {
  readonly commit: Oid;
  readonly tree: Oid;
  readonly files: readonly {
    readonly path: BytePath;
    readonly kind: TreeEntry['kind'];
    /** Bytes; of a link, its target's. */
    readonly size: number;
    /** Of the content, or of a link's target. */
    readonly sha256: string;
  }[];
}
