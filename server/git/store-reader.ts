import type { Oid } from '../domain/ids.ts';
import type { ObjectReader } from './object-reader.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { type StoredObject, storedObject, storedSize } from './objects/stored-object.ts';
import { RecentObjects } from './recent-objects.ts';

/** Reads small objects without a process where that can be, and all others by git. The reader is closed with it. */
export function openStoreReader(store: ObjectStore, reader: ObjectReader): ObjectReader {
  const recent = new RecentObjects();
  const find = (oid: Oid): StoredObject | undefined => {
    const known = recent.get(oid);
    if (known !== undefined) return known;
    const object = storedObject(store, oid);
    if (object !== undefined) recent.keep(oid, object);
    return object;
  };
  return {
    read: async (oid, limit) => {
      const object = find(oid);
      return object !== undefined && object.content.length <= (limit ?? object.content.length)
        ? object
        : reader.read(oid, limit);
    },
    stat: async (oid) => storedSize(store, oid) ?? reader.stat(oid),
    stream: (oid, signal) => reader.stream(oid, signal),
    check: (oid) => reader.check(oid),
    close: () => reader.close(),
  };
}
