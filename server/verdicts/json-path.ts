export type Found = { readonly kind: 'found'; readonly value: unknown } | { readonly kind: 'absent' };

/** Looks up a path like `items.0.title`; `items.length` counts, and the empty path is the whole. Own members only. */
export function atPath(value: unknown, path: string): Found {
  let found = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return { kind: 'absent' };
    found = Reflect.get(found, name);
  }
  return { kind: 'found', value: found };
}
