import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';

export const TREE_MODES = ['100644', '100755', '120000', '40000', '160000'] as const;
/** File, executable, link, folder, gitlink. */
export type TreeMode = (typeof TREE_MODES)[number];

/** One entry of a tree object. */
export interface TreeItem {
  /** One name in bytes: each character is one byte (latin1). */
  readonly name: string;
  readonly mode: TreeMode;
  readonly oid: Oid;
}

const OID_BYTES = 20;

/**
 * Encodes a tree object's content in git's order; the items may come in any.
 * Throws `path_refused` for a name that no tree may hold, and for a name that is there twice.
 */
export function encodeTree(items: readonly TreeItem[]): Buffer {
  checkNames(items);
  const sorted = items.map((item) => ({ item, key: treeSortKey(item) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const size = items.reduce((sum, { mode, name }) => sum + mode.length + name.length + 2 + OID_BYTES, 0);
  const content = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { item } of sorted) {
    at += content.write(`${item.mode} ${item.name}\0`, at, 'latin1');
    at += content.write(item.oid, at, 'hex');
  }
  return content;
}

/** Parses a tree object's content, in its own order. Throws `vault_damaged` where it is not one, or holds what no tree may hold. */
export function parseTree(content: Buffer): TreeItem[] {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const next = end + 1 + OID_BYTES;
    const mode = TREE_MODES.find((known) => known === canonicalMode(content.toString('latin1', at, space)));
    if (space < 0 || end < 0 || next > content.length || mode === undefined) {
      throw new DevLoopError('vault_damaged', `a tree object is damaged at byte ${at}`);
    }
    items.push({
      name: content.toString('latin1', space + 1, end),
      mode,
      oid: content.toString('hex', end + 1, next) as Oid,
    });
    at = next;
  }
  const bad = badName(items);
  if (bad === undefined) return items;
  throw new DevLoopError('vault_damaged', `a tree object holds the name ${JSON.stringify(bad)}`, {
    data: { name: bad },
  });
}

/** The string that git orders a tree's entries by, compared byte by byte: a folder counts as if its name ended in a slash. */
export function treeSortKey(item: { readonly name: string; readonly mode: TreeMode }): string {
  return item.mode === '40000' ? `${item.name}/` : item.name;
}

function checkNames(items: readonly TreeItem[]): void {
  const bad = badName(items);
  if (bad === undefined) return;
  throw new DevLoopError('path_refused', `a tree cannot hold the name ${JSON.stringify(bad)}`, { data: { name: bad } });
}

/** A name that is there twice, leads out of its folder, or into a repository. git reads such trees, and writes what they say. */
function badName(items: readonly TreeItem[]): string | undefined {
  const seen = new Set<string>();
  for (const { name } of items) {
    if (NO_NAME.test(name) || seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

const NO_NAME = /^(?:|\.|\.\.|\.git)$|[/\0]/i;

/** Old writers padded the folder mode and kept group bits of files. */
function canonicalMode(mode: string): string {
  if (mode === '040000') return '40000';
  return mode === '100664' ? '100644' : mode;
}
