import type { Oid } from '../domain/ids.ts';
import type { StoredObject } from './objects/stored-object.ts';

/** Bytes of one object, and of all, that are kept. */
const MOST_EACH = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

/** Trees and commits that were read last: a history reads the same ones again and again, and they never change. */
export class RecentObjects {
  readonly #objects = new Map<Oid, StoredObject>();
  #bytes = 0;

  get(oid: Oid): StoredObject | undefined {
    const object = this.#objects.get(oid);
    if (object === undefined) return undefined;
    this.#objects.delete(oid);
    this.#objects.set(oid, object);
    return object;
  }

  keep(oid: Oid, object: StoredObject): void {
    const { kind, content } = object;
    if ((kind !== 'tree' && kind !== 'commit') || content.length > MOST_EACH || this.#objects.has(oid)) return;
    this.#objects.set(oid, object);
    this.#bytes += content.length;
    for (const [oldest, { content: old }] of this.#objects) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#objects.delete(oldest);
      this.#bytes -= old.length;
    }
  }
}
