/** Members of a query by name; one that comes twice is a list, which no schema takes. */
export function parseQuery(text: string | null): Record<string, string | readonly string[]> {
  const params = new URLSearchParams(text ?? '');
  const members = Object.create(null) as Record<string, string | readonly string[]>;
  for (const name of params.keys()) {
    const values = params.getAll(name);
    members[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return members;
}
