import { DevLoopError } from '../../domain/errors.ts';
import { type Oid, parseOid } from '../../domain/ids.ts';
import { checkMessage, encodeSignature, parseSignature, type Signature, splitHeaders } from './commit-format.ts';
import type { ObjectKind } from './object-id.ts';

/** An annotated tag. */
export interface TagObject {
  readonly object: Oid;
  readonly kind: ObjectKind;
  readonly name: string;
  readonly tagger: Signature;
  readonly message: string;
}

/** Encodes a tag object's content. */
export function encodeTag(tag: TagObject): Buffer {
  const lines = [
    `object ${tag.object}`,
    `type ${tag.kind}`,
    `tag ${tag.name}`,
    `tagger ${encodeSignature(tag.tagger)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${checkMessage(tag.message)}`);
}

/** Parses a tag object's content. Throws `vault_damaged` where it is not one. */
export function parseTag(content: Buffer): TagObject {
  const { headers, message } = splitHeaders(content, 'tag');
  const [object, kind, name, tagger] = ['object', 'type', 'tag', 'tagger'].map(
    (wanted) => headers.find((header) => header.name === wanted)?.value,
  );
  if (object === undefined || !isKind(kind) || name === undefined || tagger === undefined) {
    throw new DevLoopError('vault_damaged', 'a tag object is damaged');
  }
  return { object: parseOid(object), kind, name, tagger: parseSignature(tagger, 'tag'), message };
}

const isKind = (kind: string | undefined): kind is ObjectKind =>
  kind === 'blob' || kind === 'tree' || kind === 'commit' || kind === 'tag';
