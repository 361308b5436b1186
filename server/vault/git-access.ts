import { join } from 'node:path';
import { type ObjectReader, openObjectReader } from '../git/object-reader.ts';
import { type ObjectStore, openObjectStore } from '../git/objects/object-store.ts';
import { ensureShadowDir } from '../git/shadow-dir.ts';

/** The ways into one repository; what needs git is made when it is first asked for. */
export class GitAccess {
  readonly objects: ObjectStore;
  readonly #gitDir: string;
  readonly #state: string;
  #shadow: string | undefined;
  #reader: ObjectReader | undefined;

  constructor(gitDir: string, state: string) {
    this.#gitDir = gitDir;
    this.#state = state;
    this.objects = openObjectStore(join(gitDir, 'objects'));
  }

  get shadow(): string {
    this.#shadow ??= ensureShadowDir({ gitDir: this.#gitDir, stateDir: this.#state });
    return this.#shadow;
  }

  get reader(): ObjectReader {
    this.#reader ??= openObjectReader(this.shadow);
    return this.#reader;
  }

  close(): void {
    this.#reader?.close();
  }
}
