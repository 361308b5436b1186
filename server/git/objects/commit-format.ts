import { DevLoopError } from '../../domain/errors.ts';
import { type Oid, parseOid } from '../../domain/ids.ts';
import type { Identity } from '../../domain/roles.ts';

/** Who did it, and when. */
export interface Signature extends Identity {
  /** Seconds since 1970. */
  readonly seconds: number;
  /** Offset of the writer's clock from UTC as `+hhmm`; `+0000` in all that we write. */
  readonly zone?: string;
}

export interface CommitObject {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  /** Everything after the headers, with its last newline. */
  readonly message: string;
}

/** Encodes a commit object's content. Throws `validation_failed` where a name or the message would break the format. */
export function encodeCommit(commit: CommitObject): Buffer {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${encodeSignature(commit.author)}`,
    `committer ${encodeSignature(commit.committer)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${checkMessage(commit.message)}`);
}

/** Parses a commit object's content; headers we do not know are passed over. Throws `vault_damaged` where it is not one. */
export function parseCommit(content: Buffer): CommitObject {
  const { headers, message } = splitHeaders(content, 'commit');
  const all = (name: string) => headers.filter((header) => header.name === name).map((header) => header.value);
  const [tree, author, committer] = ['tree', 'author', 'committer'].map((name) => all(name)[0]);
  if (tree === undefined || author === undefined || committer === undefined) throw damaged('commit');
  return {
    tree: parseOid(tree),
    parents: all('parent').map((parent) => parseOid(parent)),
    author: parseSignature(author, 'commit'),
    committer: parseSignature(committer, 'commit'),
    message,
  };
}

export function encodeSignature({ name, email, seconds, zone = '+0000' }: Signature): string {
  if (/[<>\n\0]/.test(name + email) || name.trim() === '') {
    throw new DevLoopError(
      'validation_failed',
      `the name ${JSON.stringify(`${name} <${email}>`)} cannot sign a commit`,
    );
  }
  return `${name.trim()} <${email.trim()}> ${Math.floor(seconds)} ${zone}`;
}

export function parseSignature(text: string, of: string): Signature {
  const parts = /^([^<]*?) ?<([^>]*)> (\d+) ([+-]\d{4})$/.exec(text);
  if (parts === null) throw damaged(of);
  const [, name = '', email = '', seconds, zone = '+0000'] = parts;
  return { name, email, seconds: Number(seconds), zone };
}

/** Splits what commits and tags begin with: lines `name value`, where a line that starts with a blank goes on with the one before. */
export function splitHeaders(
  content: Buffer,
  of: string,
): { readonly headers: readonly { readonly name: string; readonly value: string }[]; readonly message: string } {
  const text = content.toString('utf8');
  const end = text.indexOf('\n\n');
  if (end < 0) throw damaged(of);
  const headers = text
    .slice(0, end)
    .replaceAll('\n ', '\0')
    .split('\n')
    .map((line) => {
      const space = line.indexOf(' ');
      return { name: line.slice(0, space), value: line.slice(space + 1).replaceAll('\0', '\n') };
    });
  return { headers, message: text.slice(end + 2) };
}

/** Git reads messages up to a NUL only, and expects a newline at the end. */
export function checkMessage(message: string): string {
  if (message.includes('\0')) throw new DevLoopError('validation_failed', 'a commit message cannot hold a NUL');
  return message.endsWith('\n') ? message : `${message}\n`;
}

const damaged = (of: string): DevLoopError => new DevLoopError('vault_damaged', `a ${of} object is damaged`);
