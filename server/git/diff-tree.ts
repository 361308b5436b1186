import { type BytePath, bytePathFromLatin1, isWithin } from '../domain/byte-path.ts';
import type { ChangeKind, FileChange } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { type Oid, parseOid, ZERO_OID } from '../domain/ids.ts';
import { pathspecs } from './pathspec.ts';
import { readGit } from './stream.ts';

/** The contents of a file that differs between two trees; absent where it is on one side only, or a commit of a nested repository. */
export interface DiffedBlobs {
  readonly path: BytePath;
  readonly from?: Oid;
  readonly to?: Oid;
}

export interface TreeDiff {
  /** In git's order. A renamed file is a deletion and an addition. */
  readonly files: readonly FileChange[];
  /** Unified diff as bytes: contents are in whatever encoding the files have. */
  readonly patch: Buffer;
  /** What each file is on either side, in the order of `files`. */
  readonly blobs: readonly DiffedBlobs[];
}

export interface DiffOptions {
  /** Only this file, or what is below this folder. */
  readonly path?: BytePath;
  /** Leaves the patch out. */
  readonly filesOnly?: boolean;
  /** Bytes of output at most; 64 MiB where absent. */
  readonly limit?: number;
}

/** Compares two trees, or the trees of two commits; nothing else is looked at. */
export async function diffTree(
  shadowDir: string,
  { from, to }: { readonly from: Oid; readonly to: Oid },
  options: DiffOptions = {},
): Promise<TreeDiff> {
  const { path, filesOnly = false, limit = 64 * 1024 * 1024 } = options;
  const formats = ['--raw', '--numstat', ...(filesOnly ? [] : ['--patch', '--full-index'])];
  const plain = [
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--diff-algorithm=histogram',
    '--ignore-submodules=none',
  ];
  const args = ['diff-tree', '-r', '-z', ...formats, ...plain, '--end-of-options', from, to, ...pathspecs(path)];
  const output = await readGit(shadowDir, args, { limits: { output_bytes: limit } });
  const parsed = parseDiff(output);
  if (path === undefined) return parsed;
  const within = (file: { readonly path: BytePath }): boolean => isWithin(file.path, path);
  return { ...parsed, files: parsed.files.filter(within), blobs: parsed.blobs.filter(within) };
}

/**
 * Reads what `--raw --numstat --patch -z` prints: the raw entries, the counts in the same order, an empty field, the patch.
 * A raw entry is `:{mode} {mode} {oid} {oid} {letter}` and a path, a count `{added}\t{deleted}\t{path}`.
 */
function parseDiff(output: Buffer): TreeDiff {
  const raw: RawEntry[] = [];
  const files: FileChange[] = [];
  let at = 0;
  const field = (): string => {
    const end = output.indexOf(0, at);
    if (end < 0) throw new DevLoopError('internal', 'the output of git diff-tree is cut short');
    const text = output.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  while (output[at] === COLON) raw.push(parseRaw(field(), bytePathFromLatin1(field())));
  for (const { path, change } of raw) {
    const [additions = '-', deletions = '-'] = field().split('\t', 2);
    const counts = additions === '-' ? {} : { additions: Number(additions), deletions: Number(deletions) };
    files.push({ path, change, ...counts });
  }
  const patch = output.subarray(output[at] === 0 ? at + 1 : at);
  return { files, patch, blobs: raw.map(({ change: _change, ...blobs }) => blobs) };
}

interface RawEntry extends DiffedBlobs {
  readonly change: ChangeKind;
}

const COLON = 0x3a;
const GITLINK = '160000';

function parseRaw(text: string, path: BytePath): RawEntry {
  const [fromMode = '', toMode = '', from = '', to = '', letter = ''] = text.slice(1).split(' ');
  const change = letter === 'M' && from === to ? 'mode' : CHANGES[letter];
  if (change === undefined) throw new DevLoopError('internal', `git diff-tree printed the unknown change ${letter}`);
  const isBlob = (mode: string, oid: string): boolean => oid !== ZERO_OID && mode !== GITLINK;
  return {
    path,
    change,
    ...(isBlob(fromMode, from) && { from: parseOid(from) }),
    ...(isBlob(toMode, to) && { to: parseOid(to) }),
  };
}

const CHANGES: Readonly<Record<string, ChangeKind>> = { A: 'added', D: 'deleted', T: 'type', M: 'modified' };
