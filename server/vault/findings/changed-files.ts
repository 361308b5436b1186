import { type BytePath, joinPath } from '../../domain/byte-path.ts';
import type { Oid } from '../../domain/ids.ts';
import { parseTree, type TreeItem } from '../../git/objects/tree-format.ts';
import { readCommit } from '../commit-info.ts';
import type { OpenVault } from '../open-vault.ts';

export interface ChangedFile {
  readonly path: BytePath;
  readonly blob: Oid;
}

/** Lists files and links of a commit whose content its first parent does not have at their place. */
export async function* changedFiles(vault: OpenVault, commit: Oid): AsyncGenerator<ChangedFile> {
  const { tree, parents } = await readCommit(vault, commit);
  const [parent] = parents;
  yield* changesBelow(vault, parent && (await readCommit(vault, parent)).tree, { folder: '' as BytePath, tree });
}

async function* changesBelow(
  vault: OpenVault,
  before: Oid | undefined,
  { folder, tree }: { readonly folder: BytePath; readonly tree: Oid },
): AsyncGenerator<ChangedFile> {
  if (before === tree) return;
  const old = new Map((await items(vault, before)).map((item) => [item.name, item]));
  for (const { name, mode, oid } of await items(vault, tree)) {
    const path = joinPath(folder, name);
    const same = old.get(name);
    if (mode === '40000')
      yield* changesBelow(vault, same?.mode === mode ? same.oid : undefined, { folder: path, tree: oid });
    else if (mode !== '160000' && same?.oid !== oid) yield { path, blob: oid };
  }
}

async function items(vault: OpenVault, tree: Oid | undefined): Promise<readonly TreeItem[]> {
  return tree === undefined ? [] : parseTree((await vault.reader.read(tree)).content);
}
