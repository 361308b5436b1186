import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { makeFolders } from '../io/make-folders.ts';
import type { ObjectSink } from '../tree/index.ts';
import type { OpenVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';

/**
 * Contents that the baseline needs and the repository does not have: a plain file each, out of the agents' reach, gone with
 * the baseline. A kill ends the baseline too, so nothing is synced.
 */
export class BaselineStore implements ObjectSink {
  readonly #vault: OpenVault;
  readonly #folder: string;
  readonly #trees = new Set<Oid>();

  constructor(vault: OpenVault) {
    this.#vault = vault;
    this.#folder = join(vault.state, 'baseline');
    this.drop();
    makeFolders(this.#folder, { mode: 0o700 });
  }

  has(oid: Oid): boolean {
    return this.#trees.has(oid) || this.#vault.objects.has(oid) || existsSync(join(this.#folder, oid));
  }

  put(kind: 'blob' | 'tree', content: Uint8Array): Oid {
    const oid = hashObject(kind, content);
    if (kind === 'tree') this.#trees.add(oid);
    else if (!this.has(oid)) this.#write(oid, content);
    return oid;
  }

  async read(file: TreeFile): Promise<Uint8Array> {
    const path = join(this.#folder, file.oid ?? '');
    return existsSync(path) ? readFileSync(path) : readBlob(this.#vault, file);
  }

  drop(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(oid: Oid, content: Uint8Array): void {
    try {
      writeFileSync(join(this.#folder, oid), content);
    } catch (error) {
      throw systemRefusal(error, { doing: 'keeping what the files were before the call' });
    }
  }
}
