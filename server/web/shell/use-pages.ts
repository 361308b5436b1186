import { useState } from 'preact/hooks';
import type { List } from '../api/types.ts';
import { readPages } from './read-pages.ts';
import { type Loaded, useLoad } from './use-load.ts';

export interface Pages<Item> extends Loaded<readonly Item[]> {
  /** There is more than is shown. */
  readonly more: boolean;
  readonly showMore: () => void;
}

/** A list page by page. What was shown stays shown when it is asked for anew: all of its pages are. */
export function usePages<Item>(
  page: (cursor: string | undefined) => Promise<List<Item>>,
  key: string,
  stamp = '',
): Pages<Item> {
  const [shown, setShown] = useState({ key, pages: 1 });
  const pages = shown.key === key ? shown.pages : 1;
  const { value, ...loaded } = useLoad(() => readPages(page, pages), key, `${stamp} ${pages}`);
  return {
    ...loaded,
    value: value?.items,
    more: value?.next !== undefined,
    showMore: () => setShown({ key, pages: pages + 1 }),
  };
}
