import type { BytePath } from '../domain/byte-path.ts';
import type { IgnoreList, IgnoreRule } from './ignore-list.ts';

/** What decides which names a walk leaves out. */
export interface TreeRules {
  /** True where `.gitignore` files in the tree count, with git's own meaning. */
  readonly ignoreFiles: boolean;
  /** Rules from outside, by paths below the root. Their word is final; the later list wins over the earlier. */
  readonly lists: readonly IgnoreList[];
  /** Names that are left out for what they usually hold, whatever an ignore file takes back in. */
  readonly secrets?: IgnoreList;
  /** Larger files are left out; bytes. */
  readonly maxFileBytes?: number;
  /** Changes whenever the rules do: what was seen under another key is looked at again. */
  readonly key: string;
}

/** The ignore files that speak about the entries of one folder, its own first. */
export interface IgnoreStack {
  readonly folder: BytePath;
  readonly list: IgnoreList;
  readonly outer: IgnoreStack | undefined;
}

export interface Decision {
  readonly rule: IgnoreRule;
  /** From outside of the tree: being tracked makes no difference then. */
  readonly isFinal: boolean;
}

/**
 * Finds the rule that decides about an entry whose folder is not ignored itself.
 * @returns undefined where no rule speaks about it: then it is in
 */
export function decidingRule(
  rules: TreeRules,
  stack: IgnoreStack | undefined,
  entry: { readonly path: BytePath; readonly name: string; readonly isFolder: boolean },
): Decision | undefined {
  for (let i = rules.lists.length - 1; i >= 0; i--) {
    const rule = rules.lists[i]?.find(entry.path, entry.name, entry.isFolder);
    if (rule !== undefined) return { rule, isFinal: true };
  }
  for (let at = stack; at !== undefined; at = at.outer) {
    const below = at.folder === '' ? entry.path : entry.path.slice(at.folder.length + 1);
    const rule = at.list.find(below, entry.name, entry.isFolder);
    if (rule !== undefined) return { rule, isFinal: false };
  }
  return undefined;
}
