import { readdirSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { hasCode } from '../io/io-error.ts';
import { pathBelow } from '../io/path-below.ts';
import { holdsText } from './holds-text.ts';
import { readPackedRefs } from './packed-refs.ts';
import { readGitFile } from './read-git-file.ts';

const MOST_BYTES = 4096;

/** What a full ref name points to, loose or packed; undefined where there is none. Throws `vault_damaged`. */
export function readRef(gitDir: string, ref: string): Oid | undefined {
  return readLooseRef(gitDir, ref) ?? readPackedRefs(gitDir).get(ref);
}

/** Throws `ref_moved` where a ref does not have the value; `ZERO_OID` stands for absent. */
export function expectRef(gitDir: string, ref: string, expected: Oid): void {
  if (expected !== ZERO_OID && holdsText(gitDir, ref, `${expected}\n`)) return;
  const actual = readRef(gitDir, ref) ?? ZERO_OID;
  if (actual === expected) return;
  throw new DevLoopError('ref_moved', `${ref} is at ${actual}, not at ${expected} as expected`, {
    data: { ref, expected, actual },
  });
}

/** What HEAD is: the branch it names, or a commit where it is detached. Throws `vault_damaged` where it is neither. */
export function readHead(
  gitDir: string,
): { readonly kind: 'branch'; readonly ref: string } | { readonly kind: 'detached'; readonly oid: Oid } {
  const text = readSmall(gitDir, 'HEAD') ?? '';
  if (text.startsWith('ref: refs/')) return { kind: 'branch', ref: text.slice('ref: '.length) };
  return { kind: 'detached', oid: parseValue('HEAD', text) };
}

/** All refs whose full names begin with a prefix that ends in a slash, in the order of their names (bytes, latin1). */
export function listRefs(gitDir: string, prefix: string): ReadonlyMap<string, Oid> {
  const found = new Map<string, Oid>();
  for (const ref of looseRefNames(gitDir, prefix)) {
    const oid = readLooseRef(gitDir, ref);
    if (oid !== undefined) found.set(ref, oid);
  }
  // After the loose ones, as git reads them: one that it packs meanwhile is in neither the other way round.
  for (const [ref, oid] of readPackedRefs(gitDir)) if (ref.startsWith(prefix) && !found.has(ref)) found.set(ref, oid);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same from the ref's own file only. */
export function readLooseRef(gitDir: string, ref: string): Oid | undefined {
  const text = readSmall(gitDir, ref);
  return text === undefined ? undefined : parseValue(ref, text);
}

function readSmall(gitDir: string, name: string): string | undefined {
  return readGitFile(gitDir, name, MOST_BYTES)?.toString('latin1').trimEnd();
}

function* looseRefNames(gitDir: string, prefix: string): Generator<string> {
  for (const entry of entriesOf(pathBelow(gitDir, prefix))) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* looseRefNames(gitDir, `${name}/`);
    else if (!name.endsWith('.lock')) yield name;
  }
}

function entriesOf(folder: Buffer) {
  try {
    return readdirSync(folder, { encoding: 'latin1', withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function parseValue(ref: string, text: string): Oid {
  if (/^[0-9a-f]{40}$/.test(text)) return text as Oid;
  throw new DevLoopError('vault_damaged', `the ref ${ref} holds no object id`, { data: { ref } });
}
