import type { TagInfo } from '../domain/commit.ts';
import type { Oid } from '../domain/ids.ts';
import { TAGS } from '../domain/ref-names.ts';
import { parseTag } from '../git/objects/tag-format.ts';
import { readCommit, timeOf } from './commit-info.ts';
import type { OpenVault } from './open-vault.ts';
import { peelRecorded } from './rev.ts';

/** Lists the tags that point to commits, oldest first. One without an object of its own has the commit's time and no message. */
export async function listTags(vault: OpenVault): Promise<readonly TagInfo[]> {
  const refs = [...vault.refs.all()].filter(([ref]) => ref.startsWith(TAGS));
  const tags = await Promise.all(refs.map(([ref, oid]) => readTag(vault, ref.slice(TAGS.length), oid)));
  return tags.filter((tag) => tag !== undefined).sort((a, b) => (a.ts === b.ts ? byName(a, b) : a.ts < b.ts ? -1 : 1));
}

async function readTag(vault: OpenVault, name: string, oid: Oid): Promise<TagInfo | undefined> {
  const target = await peelRecorded(vault, oid);
  if (target.kind !== 'commit') return undefined;
  if (target.oid === oid) return { name, sha: oid, message: '', ts: timeOf((await readCommit(vault, oid)).committer) };
  const { message, tagger } = parseTag((await vault.reader.read(oid)).content);
  return { name, sha: target.oid, message: message.trimEnd(), ts: timeOf(tagger) };
}

const byName = (a: TagInfo, b: TagInfo): number => (a.name < b.name ? -1 : 1);
