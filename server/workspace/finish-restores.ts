import { join } from 'node:path';
import { openObjectReader } from '../git/object-reader.ts';
import { openObjectStore } from '../git/objects/object-store.ts';
import { openStoreReader } from '../git/store-reader.ts';
import { finishWriteBacks } from '../tree/index.ts';
import type { WorkspacePlace } from './workspace-place.ts';

/** Carries on what a killed process began to write back, or a power cut undid: by the notes, and by the contents in the store. */
export async function finishRestores({ root, store }: WorkspacePlace): Promise<void> {
  const repository = join(store, 'vcs.git');
  const reader = openStoreReader(openObjectStore(join(repository, 'objects')), openObjectReader(repository));
  try {
    await finishWriteBacks(join(store, 'journal'), undefined, {
      read: async (oid) => (await reader.read(oid)).content,
      usualRoot: root,
    });
  } finally {
    reader.close();
  }
}
