import type { CommitOutcome, CommitSpec } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_FOLDER, EMPTY_TREE, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { type Draft, type RefChange, withDraft } from './draft.ts';
import { headTree, rememberHead } from './head-tree.ts';
import type { LockedVault } from './open-vault.ts';
import { chooseTagName } from './tag-name.ts';
import { writableMain } from './writable-main.ts';
import { indexBeside } from './write-index.ts';

/**
 * Commits what the disk has of the files in the spec on top of main; all others stay as main has them. Durable when it
 * resolves; a key that was committed before gives that commit again.
 */
export async function commit(vault: LockedVault, spec: CommitSpec): Promise<CommitOutcome> {
  const before = vault.refs.committed(spec.key);
  if (before !== undefined) {
    const { sha, tag } = before;
    return { kind: 'committed', sha, repeated: true, ...(tag && { tag }), left_out: [], nested: [] };
  }
  const parent = writableMain(vault);
  return commitOn(vault, spec, { parent, base: await headTree(vault) });
}

/** Makes a commit on a parent, or the first one. */
export function commitOn(
  vault: LockedVault,
  spec: CommitSpec,
  { parent, base = EMPTY_FOLDER }: { readonly parent?: Oid; readonly base?: TreeFolder },
): Promise<CommitOutcome> {
  return withDraft(vault, `the commit "${spec.subject}"`, async (draft) => {
    const { tree: root, disk, leftOut: left_out, nested } = await draft.takeFiles({ base, ...scopeOf(spec) });
    const tree = root.oid ?? EMPTY_TREE;
    if (tree === base.oid && spec.onEmpty === 'skip') return { kind: 'nothing', left_out };
    if (tree === base.oid && spec.onEmpty === 'throw') {
      throw new DevLoopError('nothing_to_commit', `nothing has changed for "${spec.subject}"`, { data: { left_out } });
    }
    const sha = draft.commit({ ...spec, tree, parents: parent === undefined ? [] : [parent] });
    const tag = spec.tag && putNewTag(vault, draft, { ...spec.tag, target: sha });
    const main = { ref: MAIN, ...(parent && { from: parent }), to: sha };
    const record = { key: spec.key, sha, tree, ...(tag && { tag: tag.name }) };
    const companion = indexBeside(vault, { tree: root, disk });
    await draft.publish(tag ? [tag.change, main] : [main], { commit: record, companion });
    rememberHead(vault, sha, root);
    return { kind: 'committed', sha, repeated: false, ...(tag && { tag: tag.name }), left_out, nested };
  });
}

/** Everything is looked at without asking for each path whether it is in. */
const scopeOf = ({ files }: CommitSpec): { readonly scope?: WriteScope } =>
  files.includes('**') ? {} : { scope: files };

function putNewTag(
  vault: LockedVault,
  draft: Draft,
  tag: { readonly name: string; readonly message: string; readonly target: Oid },
): { readonly name: string; readonly change: RefChange } {
  const { name, ref } = chooseTagName(vault, tag.name);
  return { name, change: { ref, to: draft.tag({ ...tag, name }) } };
}
