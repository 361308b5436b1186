import { SaxesParser } from 'saxes';
import { DevLoopError } from '../../domain/errors.ts';
import type { BucketAnswer } from './bucket-client.ts';

/** An element of an answer: its name, its own text, and the elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Reads an answer's document. Throws bucket_refused where it is none, or has another root. */
export async function readXml({ response, clock }: BucketAnswer, root: string): Promise<XmlElement> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    clock.came(chunk.length);
    clock.start();
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) throw senseless(root);
  }
  const found = parseXml(Buffer.concat(chunks).toString().trim());
  if (found?.name === root) return found;
  // An upload can fail after its answer has begun with 200.
  if (found?.name === 'Error') throw new Error(`it answered 200, and ${textOf(found, 'Code')}`);
  throw senseless(root);
}

/** The text of an element's first child of a name; empty where there is none. */
export function textOf(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text ?? '';
}

interface OpenElement extends XmlElement {
  text: string;
  readonly children: OpenElement[];
}

function parseXml(text: string): XmlElement | undefined {
  const parser = new SaxesParser();
  const open: OpenElement[] = [];
  let root: OpenElement | undefined;
  let failed = false;
  parser.on('error', () => {
    failed = true;
  });
  parser.on('opentag', ({ name }) => {
    const element: OpenElement = { name, text: '', children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (more) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += more;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return failed ? undefined : root;
}

function senseless(root: string): DevLoopError {
  return new DevLoopError('bucket_refused', `the bucket's answer is no ${root}`, {
    hint: 'Check `bucket_url`: it is the address of an S3-compatible bucket.',
  });
}
