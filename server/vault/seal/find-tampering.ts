import type { Oid } from '../../domain/ids.ts';
import { IoError } from '../../io/io-error.ts';
import { readBelow } from '../../io/safe-path.ts';
import { isFile, isFolder, type Stamp, type Stamps } from './git-dir-stamps.ts';
import type { Seal } from './seal-file.ts';

/** An entry of `.git` that is not what it was. */
export interface Tampering {
  /** Below `.git`; bytes, latin1. Empty for the folder itself. */
  readonly path: string;
  readonly was?: Stamp;
  readonly is?: Stamp;
}

/**
 * Holds a git dir against its seal. What a person's `git status` does is none: the index and its lock may change while they are files.
 * A ref is judged by its value, and folders for refs come and go.
 */
export function findTampering(
  gitDir: string,
  { seal, now, refs }: { readonly seal: Seal; readonly now: Stamps; readonly refs: ReadonlyMap<string, Oid> },
): readonly Tampering[] {
  const found: Tampering[] = [];
  for (const path of [...new Set([...seal.entries.keys(), ...now.keys()])].sort()) {
    const [was, is] = [seal.entries.get(path), now.get(path)];
    if (was === is || isExempt(path, is)) continue;
    const change = { path, ...(was !== undefined && { was }), ...(is !== undefined && { is }) };
    if (path.startsWith('refs/') && isUsualRef(change, { gitDir, refs })) continue;
    found.push(change);
  }
  return [...found, ...strayRefs(gitDir, { now, refs, found })];
}

/** Says what was found, without what lies below another finding. */
export function tamperingNames(found: readonly Tampering[]): readonly string[] {
  const whole = found.filter(({ was, is }) => !isFolder(was) || !isFolder(is)).map(({ path }) => path);
  const top = found.filter(
    ({ path }) => !whole.some((above) => above !== path && (above === '' || path.startsWith(`${above}/`))),
  );
  return top.map(({ path }) => Buffer.from(path === '' ? '.git' : `.git/${path}`, 'latin1').toString('utf8'));
}

function isExempt(path: string, is: Stamp | undefined): boolean {
  return (isFile(is) && (path === 'index' || path === 'index.lock')) || (is === undefined && path === 'index.lock');
}

interface RefPlace {
  readonly gitDir: string;
  readonly refs: ReadonlyMap<string, Oid>;
}

function isUsualRef({ path, was, is }: Tampering, { gitDir, refs }: RefPlace): boolean {
  if (isFolder(is)) return was === undefined || isFolder(was);
  if (is === undefined) return isFolder(was) && path !== 'refs/heads' && path !== 'refs/tags';
  return isFile(is) && refs.get(path) !== undefined && refValue(gitDir, path) === refs.get(path);
}

/** Loose refs that look untouched and yet are not what they should be: a value can be written and the stamp taken in between. */
function strayRefs(
  gitDir: string,
  {
    now,
    refs,
    found,
  }: { readonly now: Stamps; readonly refs: ReadonlyMap<string, Oid>; readonly found: readonly Tampering[] },
): readonly Tampering[] {
  const known = new Set(found.map(({ path }) => path));
  return [...now].flatMap(([path, is]) => {
    if (!path.startsWith('refs/') || !isFile(is) || known.has(path) || refValue(gitDir, path) === refs.get(path))
      return [];
    return [{ path, is }];
  });
}

function refValue(gitDir: string, path: string): string | undefined {
  try {
    return readBelow(gitDir, path, 4096)?.toString('latin1').trimEnd();
  } catch (error) {
    if (error instanceof IoError) return undefined;
    throw error;
  }
}
