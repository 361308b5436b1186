import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { parseTagName, tagRef } from '../domain/ref-names.ts';
import { withDraft } from './draft.ts';
import type { LockedVault } from './open-vault.ts';
import { peel, resolveCommit } from './rev.ts';
import { tagValue } from './tag-name.ts';

export interface TagRequest {
  readonly name: string;
  /** Any revision; main where absent. */
  readonly ref?: string;
  /** The name where absent. */
  readonly message?: string;
}

/**
 * Makes an annotated tag. One that points to the same commit already is left as it is.
 * @throws DevLoopError tag_exists where it points to another commit, ref_invalid, ref_not_found
 */
export async function tag(
  vault: LockedVault,
  { name, ref: rev = 'HEAD', message = name }: TagRequest,
): Promise<{ readonly name: string; readonly sha: Oid }> {
  const ref = tagRef(parseTagName(name));
  const sha = await resolveCommit(vault, rev);
  const taken = tagValue(vault, ref);
  if (taken !== undefined) {
    const target = (await peel(vault, taken))?.oid ?? taken;
    if (target === sha) return { name, sha };
    throw new DevLoopError('tag_exists', `tag ${name} points to ${target} already`, {
      data: { name, target, wanted: sha },
      hint: 'Tags are never moved: choose another name.',
    });
  }
  return withDraft(vault, `tag ${name}`, async (draft) => {
    await draft.publish([{ ref, to: draft.tag({ name, target: sha, message }) }]);
    return { name, sha };
  });
}
