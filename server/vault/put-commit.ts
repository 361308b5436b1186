import type { Trailer } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { DEVLOOP, type Identity } from '../domain/roles.ts';
import { encodeCommit } from '../git/objects/commit-format.ts';
import { EMPTY_TREE } from '../git/objects/object-id.ts';
import type { ObjectWriter } from '../git/objects/object-writer.ts';
import { encodeTag } from '../git/objects/tag-format.ts';
import type { OpenVault } from './open-vault.ts';

export interface NewCommit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Identity;
  /** One line. */
  readonly subject: string;
  readonly trailers: readonly Trailer[];
}

export interface NewTag {
  readonly name: string;
  readonly target: Oid;
  readonly message: string;
}

/** Writes a commit object: made now, by DevLoop for the author. Throws `validation_failed` where a text has more than one line. */
export function putCommit(vault: OpenVault, writer: ObjectWriter, commit: NewCommit): Oid {
  const seconds = secondsNow(vault);
  // Git knows the empty tree, but a clone does not get it unless it is there.
  if (commit.tree === EMPTY_TREE) writer.write('tree', Buffer.alloc(0));
  const content = encodeCommit({
    tree: commit.tree,
    parents: commit.parents,
    author: { ...commit.author, seconds },
    committer: { ...DEVLOOP, seconds },
    message: messageOf(commit),
  });
  return writer.write('commit', content);
}

/** Writes an annotated tag for a commit. */
export function putTag(vault: OpenVault, writer: ObjectWriter, { name, target, message }: NewTag): Oid {
  const tagger = { ...DEVLOOP, seconds: secondsNow(vault) };
  return writer.write('tag', encodeTag({ object: target, kind: 'commit', name, tagger, message }));
}

function messageOf({ subject, trailers }: NewCommit): string {
  const lines = trailers.map(({ key, value }) => `${key}: ${value}`);
  for (const line of [subject, ...lines]) {
    if (/[\n\r\0]/.test(line) || line.trim() === '') {
      throw new DevLoopError('validation_failed', `${JSON.stringify(line)} is not one line of a commit message`);
    }
  }
  return lines.length === 0 ? `${subject}\n` : `${subject}\n\n${lines.join('\n')}\n`;
}

const secondsNow = ({ settings }: OpenVault): number => Math.floor(settings.now().getTime() / 1000);
