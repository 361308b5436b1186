import fc from 'fast-check';
import {
  EMPTY_FOLDER,
  FOLDER_MODE,
  type TreeEntryNode,
  type TreeFile,
  type TreeFolder,
} from '../../server/domain/file-tree.ts';
import { hashObject } from '../../server/git/objects/object-id.ts';

/** A tree as a flat list: path to content; `@` before it makes it a link, `+` an executable. */
export type FlatTree = ReadonlyMap<string, string>;

const name = fc.constantFrom('a', 'b', 'A', 'a.b', 'a-b', '\xff', 'z');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const content = fc.constantFrom('1', '2', '@1', '@2', '+1');

/** Any tree in which no file lies below another. */
export const flatTree: fc.Arbitrary<FlatTree> = fc.array(fc.tuple(path, content), { maxLength: 8 }).map((files) => {
  const tree = new Map<string, string>();
  for (const [at, text] of files) {
    const clash = [...tree.keys()].some((other) => other.startsWith(`${at}/`) || at.startsWith(`${other}/`));
    if (!clash) tree.set(at, text);
  }
  return tree;
});

/** The same as folders and entries; object ids of folders are left open. */
export function treeOf(flat: FlatTree, prefix = ''): TreeFolder {
  const names = new Set(
    [...flat.keys()].filter((at) => at.startsWith(prefix)).map((at) => at.slice(prefix.length).split('/')[0] ?? ''),
  );
  const entries = [...names].sort().map((one): TreeEntryNode => {
    const text = flat.get(prefix + one);
    return text === undefined ? { ...treeOf(flat, `${prefix}${one}/`), name: one } : fileOf(one, text);
  });
  return { ...EMPTY_FOLDER, mode: FOLDER_MODE, oid: undefined, entries };
}

function fileOf(one: string, text: string): TreeFile {
  const kind = text.startsWith('@') ? 'link' : 'file';
  const mode = kind === 'link' ? 0 : text.startsWith('+') ? 0o755 : 0o644;
  return { kind, name: one, mode, oid: hashObject('blob', Buffer.from(text.replace(/^[@+]/, ''))) };
}
