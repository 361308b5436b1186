/** A commit message taken apart. */
export interface MessageParts {
  /** The first paragraph on one line. */
  readonly subject: string;
  /** What is between subject and trailers; empty where there is nothing. */
  readonly body: string;
  /** In their order; a key may come more than once. */
  readonly trailers: readonly { readonly key: string; readonly value: string }[];
}

/**
 * Takes a message apart as git does: the subject ends at the first blank line; the last paragraph holds the trailers if it is
 * not the first and every line of it is `Key: value` or goes on with the one before (it then starts with a blank).
 */
export function messageParts(message: string): MessageParts {
  const paragraphs = message.trim().split(/\n[ \t]*\n\s*/);
  const [first = '', ...rest] = paragraphs;
  const subject = first.split('\n').join(' ').trim();
  const trailers = parseTrailers(rest.at(-1) ?? '');
  return { subject, body: (trailers.length > 0 ? rest.slice(0, -1) : rest).join('\n\n'), trailers };
}

/** Values of a key that comes twice are joined by a newline. */
export function trailerRecord(trailers: MessageParts['trailers']): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const { key, value } of trailers) {
    const before = values.get(key);
    values.set(key, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(values);
}

function parseTrailers(paragraph: string): MessageParts['trailers'] {
  const lines = paragraph.replace(/\n[ \t]+/g, ' ').split('\n');
  const found = lines.map((line) => /^([A-Za-z0-9-]+)[ \t]*:[ \t]*(.*)$/.exec(line));
  return found.every((match) => match !== null)
    ? found.map(([, key = '', value = '']) => ({ key, value: value.trim() }))
    : [];
}
