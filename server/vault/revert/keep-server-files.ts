import { type BytePath, joinPath } from '../../domain/byte-path.ts';
import type { Oid } from '../../domain/ids.ts';
import { EMPTY_TREE } from '../../git/objects/object-id.ts';
import type { ObjectWriter } from '../../git/objects/object-writer.ts';
import { encodeTree, parseTree, type TreeItem } from '../../git/objects/tree-format.ts';
import { LEDGERS } from '../ledger-growth.ts';
import type { OpenVault } from '../open-vault.ts';

/** Makes a tree with the server's files of another one, so that between the two they do not differ. */
export async function keepServerFiles(
  vault: OpenVault,
  writer: ObjectWriter,
  { from, in: tree, path = '' as BytePath }: { readonly from: Oid; readonly in: Oid; readonly path?: BytePath },
): Promise<Oid> {
  if (from === tree) return tree;
  const [theirs, own] = await Promise.all([readItems(vault, from), readItems(vault, tree)]);
  const items = own.filter(({ name }) => !isServerFile(joinPath(path, name)));
  for (const item of theirs) {
    const at = joinPath(path, item.name);
    if (isServerFile(at) || (at === IGNORE_FILE && !own.some(({ name }) => name === item.name))) items.push(item);
    if (item.mode !== '40000' || !mayHoldServerFiles(at)) continue;
    const index = items.findIndex(({ name, mode }) => name === item.name && mode === '40000');
    const oid = await keepServerFiles(vault, writer, { from: item.oid, in: items[index]?.oid ?? EMPTY_TREE, path: at });
    if (index >= 0) items[index] = { ...item, oid };
    else if (oid !== EMPTY_TREE && !items.some(({ name }) => name === item.name)) items.push({ ...item, oid });
  }
  return writer.write('tree', encodeTree(items));
}

const mayHoldServerFiles = (folder: BytePath): boolean => /^units(?:\/[^/]+)?$/.test(folder);

async function readItems({ reader }: OpenVault, tree: Oid): Promise<TreeItem[]> {
  return tree === EMPTY_TREE ? [] : parseTree((await reader.read(tree)).content);
}

/** Without it everything that it keeps out would be taken into the next commit. */
const IGNORE_FILE = '.gitignore';

const isServerFile = (path: BytePath): boolean =>
  LEDGERS.has(path) || path === 'project.json' || /^units\/[^/]+\/coder\.log$/.test(path);
