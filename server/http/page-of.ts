import { DevLoopError } from '../domain/errors.ts';
import type { Page } from './services.ts';

interface PageRequest<Item> {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Sorts the items; unique. The greatest comes first. */
  readonly keyOf: (item: Item) => string;
}

/** One page of a list, newest first; a cursor is the key of the last item before it, so pages hold still while items are added. */
export function pageOf<Item>(all: readonly Item[], { limit, cursor, keyOf }: PageRequest<Item>): Page<Item> {
  const before = cursor === undefined ? undefined : keyOfCursor(cursor);
  const keyed = all
    .map((item) => ({ key: keyOf(item), item }))
    .filter(({ key }) => before === undefined || key < before)
    .sort((a, b) => (a.key < b.key ? 1 : -1));
  const items = keyed.slice(0, limit).map(({ item }) => item);
  const last = keyed[limit - 1];
  return last !== undefined && keyed.length > limit ? { items, next: cursorOf(last.key) } : { items };
}

const cursorOf = (key: string): string => Buffer.from(`1:${key}`).toString('base64url');

function keyOfCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith('1:')) return text.slice(2);
  throw new DevLoopError('validation_failed', 'The cursor is not one of this list.', {
    data: { errors: [{ at: 'query.cursor', message: 'Take it from `next` of the page before.' }] },
  });
}
