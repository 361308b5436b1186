import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { parseRevName } from '../domain/ref-names.ts';
import { objectsWithPrefix } from '../git/disambiguate.ts';
import type { ObjectKind } from '../git/objects/object-id.ts';
import { parseTag } from '../git/objects/tag-format.ts';
import type { OpenVault } from './open-vault.ts';

/**
 * Finds the commit that a revision names, in any form that `parseRevName` takes. Names are looked up in the server's own record:
 * a ref that somebody else made or moved does not count.
 * @throws DevLoopError ref_invalid, ref_not_found
 */
export async function resolveCommit(vault: OpenVault, rev: string): Promise<Oid> {
  const peeled = await peel(vault, await resolveRev(vault, rev));
  if (peeled?.kind === 'commit') return peeled.oid;
  throw notFound(rev, peeled === undefined ? 'it is not in the repository' : `it names a ${peeled.kind}`);
}

/** Follows annotated tags to what they point to; undefined where an object is missing. */
export async function peel(
  vault: OpenVault,
  oid: Oid,
): Promise<{ readonly oid: Oid; readonly kind: ObjectKind } | undefined> {
  let at = oid;
  for (let depth = 0; depth < MOST_TAGS; depth++) {
    const about = await vault.reader.stat(at);
    if (about?.kind !== 'tag') return about && { oid: at, kind: about.kind };
    at = parseTag((await vault.reader.read(at)).content).object;
  }
  throw new DevLoopError('ref_invalid', `the tag object ${oid} points to a tag of a tag, more than ${MOST_TAGS} deep`);
}

/** The same for what the record names, of which nothing may be missing. Throws object_missing. */
export async function peelRecorded(
  vault: OpenVault,
  oid: Oid,
): Promise<{ readonly oid: Oid; readonly kind: ObjectKind }> {
  const peeled = await peel(vault, oid);
  if (peeled !== undefined) return peeled;
  throw new DevLoopError('object_missing', `a ref points to ${oid}, which is not in the repository`, { data: { oid } });
}

const MOST_TAGS = 10;

async function resolveRev(vault: OpenVault, rev: string): Promise<Oid> {
  const name = parseRevName(rev);
  switch (name.kind) {
    case 'oid':
      return name.oid;
    case 'ref':
      return vault.refs.get(name.ref) ?? refuse(notFound(rev, 'there is no such ref'));
    case 'prefix':
      return commitWithPrefix(vault, name.hex);
  }
}

async function commitWithPrefix(vault: OpenVault, hex: string): Promise<Oid> {
  const oids = await objectsWithPrefix(vault.shadow, hex);
  const kinds = await Promise.all(oids.map((oid) => vault.reader.stat(oid)));
  const [found, ...more] = oids.filter((_, i) => kinds[i]?.kind === 'commit');
  if (found === undefined) throw notFound(hex, 'no commit begins so');
  if (more.length === 0) return found;
  throw new DevLoopError('ref_invalid', `${hex} is the beginning of ${more.length + 1} commits`, {
    hint: 'Give more of its digits.',
  });
}

function notFound(rev: string, why: string): DevLoopError {
  return new DevLoopError('ref_not_found', `revision ${JSON.stringify(rev)} was not found: ${why}`, { data: { rev } });
}

function refuse(error: Error): never {
  throw error;
}
