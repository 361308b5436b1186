import { type BytePath, joinPath, pathText } from '../domain/byte-path.ts';
import type { TreeEntry } from '../domain/commit.ts';
import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { parseTree, type TreeItem, type TreeMode } from '../git/objects/tree-format.ts';
import { readCommit } from './commit-info.ts';
import type { OpenVault } from './open-vault.ts';
import { resolveCommit } from './rev.ts';

/** Lists a folder of a revision, one level, in git's order. Throws not_found where there is no such folder. */
export async function listFolder(vault: OpenVault, rev: string, folder: BytePath): Promise<readonly TreeEntry[]> {
  const entry = await entryAt(vault, await rootOf(vault, rev), folder);
  if (entry.kind !== 'folder') throw notFound(rev, folder, 'is no folder');
  return Promise.all((await readTreeItems(vault, entry.oid)).map((item) => entryOf(vault, folder, item)));
}

/** Reads a file of a revision, or a link's target. Throws not_found, body_too_large. */
export async function readFile(
  vault: OpenVault,
  rev: string,
  path: BytePath,
): Promise<{ readonly oid: Oid; readonly content: Buffer }> {
  const { kind, oid } = await entryAt(vault, await rootOf(vault, rev), path);
  if (kind === 'folder' || kind === 'gitlink') throw notFound(rev, path, `is a ${kind}`);
  return { oid, content: (await vault.reader.read(oid)).content };
}

/** The blob at a path below a tree; undefined where there is none. */
export async function blobAt(vault: OpenVault, root: Oid, path: BytePath): Promise<Oid | undefined> {
  const [kind, oid] = (await entryKeyAt(vault, root, path))?.split(' ') ?? [];
  return kind === 'file' || kind === 'executable' || kind === 'link' ? (oid as Oid) : undefined;
}

/** What tells whether two trees have the same at a path: mode and id; undefined where there is nothing. */
export async function entryKeyAt(vault: OpenVault, root: Oid, path: BytePath): Promise<string | undefined> {
  try {
    const { kind, oid } = await entryAt(vault, root, path);
    return `${kind} ${oid}`;
  } catch (error) {
    if (isDevLoopError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Lists every file, link and gitlink below a tree, in the order that git lists them in; without sizes. */
export async function* filesBelow(vault: OpenVault, tree: Oid, folder = '' as BytePath): AsyncGenerator<TreeEntry> {
  for (const { name, mode, oid } of await readTreeItems(vault, tree)) {
    const path = joinPath(folder, name);
    if (mode === '40000') yield* filesBelow(vault, oid, path);
    else yield { path, kind: KINDS[mode], oid };
  }
}

export async function rootOf(vault: OpenVault, rev: string): Promise<Oid> {
  return (await readCommit(vault, await resolveCommit(vault, rev))).tree;
}

const KINDS: Readonly<Record<TreeMode, TreeEntry['kind']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'link',
  '40000': 'folder',
  '160000': 'gitlink',
};

async function entryAt(vault: OpenVault, root: Oid, path: BytePath): Promise<TreeEntry> {
  let at: TreeEntry = { path: '' as BytePath, kind: 'folder', oid: root };
  for (const name of path === '' ? [] : path.split('/')) {
    const items: readonly TreeItem[] = at.kind === 'folder' ? await readTreeItems(vault, at.oid) : [];
    const item = items.find((candidate) => candidate.name === name);
    if (item === undefined) throw notFound(root, path, 'is not there');
    at = { path: joinPath(at.path, name), kind: KINDS[item.mode], oid: item.oid };
  }
  return at;
}

/** Reads one tree object. Throws vault_damaged where it is none. */
export async function readTreeItems(vault: OpenVault, oid: Oid): Promise<readonly TreeItem[]> {
  const { kind, content } = await vault.reader.read(oid);
  if (kind !== 'tree')
    throw new DevLoopError('vault_damaged', `object ${oid} is a ${kind}, not a tree`, { data: { oid } });
  return parseTree(content);
}

async function entryOf(vault: OpenVault, folder: BytePath, { name, mode, oid }: TreeItem): Promise<TreeEntry> {
  const entry = { path: joinPath(folder, name), kind: KINDS[mode], oid };
  if (mode === '40000' || mode === '160000') return entry;
  const about = await vault.reader.stat(oid);
  return about === undefined ? entry : { ...entry, size: about.size };
}

function notFound(rev: string, path: BytePath, why: string): DevLoopError {
  return new DevLoopError('not_found', `${JSON.stringify(pathText(path).path)} ${why} in ${rev}`, {
    data: { rev, ...pathText(path) },
  });
}
