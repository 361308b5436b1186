import type { List } from '../api/types.ts';

/** So many pages of a list, or all that there are, as one. */
export async function readPages<Item>(
  page: (cursor: string | undefined) => Promise<List<Item>>,
  pages = Number.POSITIVE_INFINITY,
): Promise<List<Item>> {
  const items: Item[] = [];
  let next: string | undefined;
  for (let read = 0; read < pages && (read === 0 || next !== undefined); read++) {
    const one = await page(next);
    items.push(...one.items);
    next = one.next;
  }
  return { items, next };
}
