import type { CommitInfo } from '../domain/commit.ts';
import type { Oid } from '../domain/ids.ts';
import { messageParts, trailerRecord } from '../domain/message-parts.ts';
import { TAGS } from '../domain/ref-names.ts';
import { type CommitObject, parseCommit, type Signature } from '../git/objects/commit-format.ts';
import type { OpenVault } from './open-vault.ts';
import { peelRecorded } from './rev.ts';

/** Reads commits, in the order given, each with the branches and tags that point to it. */
export async function readCommitInfos(vault: OpenVault, oids: readonly Oid[]): Promise<readonly CommitInfo[]> {
  const [names, commits] = await Promise.all([refNames(vault), Promise.all(oids.map((oid) => readCommit(vault, oid)))]);
  return oids.map((oid, i) => infoOf(oid, commits[i] as CommitObject, names.get(oid) ?? []));
}

export async function readCommit(vault: OpenVault, oid: Oid): Promise<CommitObject> {
  return parseCommit((await vault.reader.read(oid)).content);
}

/** ISO 8601 in UTC, to the second. */
export function timeOf({ seconds }: Signature): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function infoOf(sha: Oid, commit: CommitObject, refs: readonly string[]): CommitInfo {
  const { subject, trailers } = messageParts(commit.message);
  const { name, email } = commit.author;
  return {
    sha,
    parents: commit.parents,
    subject,
    author: { name, email },
    ts: timeOf(commit.author),
    trailers: trailerRecord(trailers),
    refs,
  };
}

/** Short names of branches and tags by the commit that they point to. */
async function refNames(vault: OpenVault): Promise<ReadonlyMap<Oid, readonly string[]>> {
  const names = new Map<Oid, string[]>();
  const refs = [...vault.refs.all()].filter(([ref]) => ref.startsWith(BRANCHES) || ref.startsWith(TAGS));
  const targets = await Promise.all(refs.map(([, oid]) => commitOf(vault, oid)));
  for (const [i, [ref]] of refs.entries()) {
    const target = targets[i];
    if (target === undefined) continue;
    names.set(target, [...(names.get(target) ?? []), ref.replace(/^refs\/(heads|tags)\//, '')]);
  }
  return names;
}

const BRANCHES = 'refs/heads/';

/** What a tag object points to never changes: it is read once. */
async function commitOf(vault: OpenVault, oid: Oid): Promise<Oid> {
  const known = peeled.get(vault.reader) ?? new Map<Oid, Oid>();
  peeled.set(vault.reader, known);
  const before = known.get(oid);
  if (before !== undefined) return before;
  const target = await peelRecorded(vault, oid);
  known.set(oid, target.oid);
  return target.oid;
}

const peeled = new WeakMap<OpenVault['reader'], Map<Oid, Oid>>();
