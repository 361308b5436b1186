import { SaxesParser } from 'saxes';
import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';

/** An element by its local name. */
export interface XmlElement {
  readonly name: string;
  /** The value of an attribute by its local name, or of one that has a prefix by `:name`; empty where there is none. */
  attribute(name: string): string;
}

export interface XmlReader {
  open?(element: XmlElement): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Elements that are passed over with all in them, by local name, or by the whole one. */
  readonly skip?: ReadonlySet<string>;
}

const CHUNK = 1 << 16;

/**
 * Reads XML piece by piece. Entities are never declared (one that is used is a fault), nothing is loaded, and only so many
 * elements may be within each other. Throws UnreadError.
 */
export function readXml(bytes: Uint8Array, name: string, reader: XmlReader): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let skipped = 0;
  parser.on('error', (error) => {
    throw new UnreadError('damaged', `${name} is not well-formed: ${error.message.slice(0, 200)}`);
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    depth++;
    if (depth > LIMITS.depth)
      throw new UnreadError('too_deep', `${name} has more than ${LIMITS.depth} elements within each other`);
    const local = localName(tag);
    if (skipped > 0 || reader.skip?.has(local) || reader.skip?.has(tag)) skipped++;
    else reader.open?.({ name: local, attribute: (wanted) => attributeOf(attributes, wanted) });
  });
  parser.on('closetag', ({ name: tag }) => {
    depth--;
    if (skipped > 0) skipped--;
    else reader.close?.(localName(tag));
  });
  const onText = (text: string): void => {
    if (skipped === 0) reader.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let at = 0; at < bytes.length; at += CHUNK)
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }));
  parser.write(decoder.decode()).close();
}

function attributeOf(attributes: Readonly<Record<string, string>>, wanted: string): string {
  if (wanted in attributes) return attributes[wanted] ?? '';
  const ending = wanted.startsWith(':') ? wanted : `:${wanted}`;
  const name = Object.keys(attributes).find((one) => one.endsWith(ending) && !one.startsWith('xmlns:'));
  return name === undefined ? '' : (attributes[name] ?? '');
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
