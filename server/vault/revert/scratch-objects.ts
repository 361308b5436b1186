import { randomBytes } from 'node:crypto';
import type { Oid } from '../../domain/ids.ts';
import { packOf } from '../../git/bundle.ts';
import { importPack } from '../../git/import-pack.ts';
import { openObjectStore } from '../../git/objects/object-store.ts';
import { type ObjectWriter, openObjectWriter } from '../../git/objects/object-writer.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { removeTree } from '../../io/remove-tree.ts';
import { type LockedVault, recordedHead } from '../open-vault.ts';

/** A folder for objects that may turn out not to be needed; git reads the repository's own besides them. */
export interface ScratchObjects {
  /** Absolute path. */
  readonly dir: string;
  /** Begins to write objects there. */
  writer(): ObjectWriter;
  /** Brings a tree with all that is new in it into the repository, each object hashed on the way. */
  keep(tree: Oid): Promise<void>;
}

/** Does work with objects apart, which are gone afterwards unless they were kept. */
export async function inScratchObjects<Result>(
  vault: LockedVault,
  work: (scratch: ScratchObjects) => Promise<Result>,
): Promise<Result> {
  const folder = `${vault.state}/scratch-${randomBytes(6).toString('hex')}`;
  const dir = `${folder}/objects`;
  makeFolders(`${dir}/pack`);
  try {
    return await work({
      dir,
      writer: () => openObjectWriter(openObjectStore(dir), { durable: false }),
      async keep(tree) {
        if (vault.objects.has(tree)) return;
        const request = { want: [tree], have: [recordedHead(vault)], quick: true, newObjects: dir };
        await importPack(vault.shadow, packOf(vault.shadow, request));
        vault.objects.refresh();
      },
    });
  } finally {
    await removeTree(folder);
  }
}
