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
export async function* changedFiles(
  vault: OpenVault,
  commit: Oid,
  trees = new TreeCache(),
): AsyncGenerator<ChangedFile> {
  const { tree, parents } = await readCommit(vault, commit);
  const [parent] = parents;
  const before = parent && (await readCommit(vault, parent)).tree;
  yield* changesBelow({ vault, trees }, before, { folder: '' as BytePath, tree });
}

/** Trees that were read for one commit and may be those of the next one's parent. */
export class TreeCache {
  readonly #trees = new Map<Oid, readonly TreeItem[]>();
  #items = 0;

  async read({ reader }: OpenVault, tree: Oid): Promise<readonly TreeItem[]> {
    const known = this.#trees.get(tree);
    if (known !== undefined) return known;
    const items = parseTree((await reader.read(tree)).content);
    if (this.#items > MOST_ITEMS) this.#forget();
    this.#trees.set(tree, items);
    this.#items += items.length;
    return items;
  }

  #forget(): void {
    this.#trees.clear();
    this.#items = 0;
  }
}

const MOST_ITEMS = 100_000;

interface Source {
  readonly vault: OpenVault;
  readonly trees: TreeCache;
}

async function* changesBelow(
  source: Source,
  before: Oid | undefined,
  { folder, tree }: { readonly folder: BytePath; readonly tree: Oid },
): AsyncGenerator<ChangedFile> {
  if (before === tree) return;
  const { vault, trees } = source;
  const old = new Map((before === undefined ? [] : await trees.read(vault, before)).map((item) => [item.name, item]));
  for (const { name, mode, oid } of await trees.read(vault, tree)) {
    const path = joinPath(folder, name);
    const same = old.get(name);
    if (mode === '40000') {
      yield* changesBelow(source, same?.mode === mode ? same.oid : undefined, { folder: path, tree: oid });
    } else if (mode !== '160000' && same?.oid !== oid) {
      yield { path, blob: oid };
    }
  }
}
