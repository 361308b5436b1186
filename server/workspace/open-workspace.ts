import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { WorkspaceFile } from '../domain/point.ts';
import { type ObjectReader, openObjectReader } from '../git/object-reader.ts';
import { type ObjectStore, openObjectStore } from '../git/objects/object-store.ts';
import { openStoreReader } from '../git/store-reader.ts';
import { openWorkingTree, type TreeRules, type WorkingTree } from '../tree/index.ts';
import { FolderObjects } from './objects/folder-objects.ts';
import type { LargeObjects } from './objects/large-objects.ts';
import { objectsNow } from './objects-now.ts';
import { openPointIndex, type PointIndex } from './point-index.ts';
import type { WorkspaceOptions } from './workspace-options.ts';
import type { WorkspacePlace } from './workspace-place.ts';
import { rulesNow } from './workspace-rules.ts';

/** A workspace with everything that is kept open for it. */
export interface OpenWorkspace extends WorkspacePlace {
  readonly file: WorkspaceFile;
  readonly options: WorkspaceOptions;
  /** The bare repository that holds the points. */
  readonly repository: string;
  readonly objects: ObjectStore;
  readonly reader: ObjectReader;
  readonly points: PointIndex;
  /** Where large files are taken to first, and where they stay unless the workspace keeps them in a bucket. */
  readonly spool: FolderObjects;
  /** Where they are kept, as the workspace's file says it now. Throws `bucket_refused` where there are no credentials. */
  readonly large: () => LargeObjects;
  readonly largeFileBytes: number;
  /** The folder, by the rules as they are now. */
  readonly tree: () => { readonly files: WorkingTree; readonly rules: TreeRules };
  close(): void;
}

/** Opens the parts of a workspace whose store is there. Nothing is read before it is needed. */
export function openWorkspace(place: WorkspacePlace, file: WorkspaceFile, options: WorkspaceOptions): OpenWorkspace {
  const repository = join(place.store, 'vcs.git');
  const objects = openObjectStore(join(repository, 'objects'));
  const reader = openStoreReader(objects, openObjectReader(repository));
  const spool = new FolderObjects(join(place.store, 'objects'));
  const largeFileBytes = file.settings.large_file_bytes ?? options.largeFileBytes;
  let open: { readonly files: WorkingTree; readonly rules: TreeRules } | undefined;
  return {
    ...place,
    file,
    options,
    repository,
    objects,
    reader,
    points: openPointIndex(place.store),
    spool,
    large: () => objectsNow(place.store, spool, options),
    largeFileBytes,
    tree() {
      const rules = rulesNow(place, file.settings, options);
      const key = `${rules.key} ${largeFileBytes}`;
      if (open?.rules.key === key) return open;
      open?.files.save();
      open?.files.close();
      const stateFile = join(place.store, 'tree-state.bin');
      const watchFolder = options.watch ? join(place.store, `watch-${process.pid}-${threadId}`) : undefined;
      const keyed = { ...rules, key };
      open = { rules: keyed, files: openWorkingTree({ root: place.root, stateFile, rules: keyed, watchFolder }) };
      return open;
    },
    close() {
      reader.close();
      open?.files.save();
      open?.files.close();
    },
  };
}
