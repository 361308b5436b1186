/** Where the page is: the parts of the path in the address's fragment, and what follows the question mark. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Reads a fragment such as `#/p/p-abc/compare?from=HEAD`. What is not one leads to the start. */
export function parsePlace(fragment: string): Place {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The fragment of a place; members of the query that are undefined or empty are left out. */
export function linkTo(
  parts: readonly string[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  );
  const path = `#/${parts.map(encodeURIComponent).join('/')}`;
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
