import { lstatSync } from 'node:fs';
import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';
import { IgnoreFiles } from './ignore-files.ts';
import type { IgnoreRule } from './ignore-list.ts';
import { decidingRule, type IgnoreStack, type TreeRules } from './ignore-stack.ts';
import { isReservedName } from './reserved-names.ts';

export interface Explanation {
  /** What is there; undefined where nothing is. */
  readonly kind: 'file' | 'link' | 'folder' | 'special' | undefined;
  readonly included: boolean;
  readonly reason?: LeftOutReason;
  readonly rule?: IgnoreRule;
  /** The path that the rule speaks about: this one, or a folder above it. */
  readonly at?: BytePath;
}

/** Says whether a walk would take a path, and which rule decides. What is tracked is not asked for. */
export function explainPath(root: string, rules: TreeRules, path: BytePath): Explanation {
  const ignoreFiles = new IgnoreFiles(root);
  let stack: IgnoreStack | undefined;
  let folder = '' as BytePath;
  const kind = kindAt(root, path);
  let last: IgnoreRule | undefined;
  for (const name of path.split('/')) {
    const own = rules.ignoreFiles ? ignoreFiles.read(folder) : undefined;
    if (own) stack = { folder, list: own.list, outer: stack };
    const at = joinPath(folder, name);
    if (isReservedName(name)) return { kind, included: false, reason: 'reserved_name', at };
    const decision = decidingRule(rules, stack, { path: at, name, isFolder: at !== path || kind === 'folder' });
    last = decision?.rule;
    if (last?.negated === false) return { kind, included: false, reason: 'ignored', rule: last, at };
    folder = at;
  }
  if (kind === 'special') return { kind, included: false, reason: 'special_file', at: path };
  return { kind, included: true, ...(last && { rule: last }) };
}

function kindAt(root: string, path: BytePath): Explanation['kind'] {
  try {
    const stats = lstatSync(diskPath(root, path));
    if (stats.isFile()) return 'file';
    if (stats.isDirectory()) return 'folder';
    return stats.isSymbolicLink() ? 'link' : 'special';
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
