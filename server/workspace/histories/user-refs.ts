import { type Dirent, readdirSync } from 'node:fs';
import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { readPackedRefs } from '../../git/packed-refs.ts';
import { hasCode } from '../../io/io-error.ts';
import { pathBelow } from '../../io/path-below.ts';
import { readBelow } from '../../io/safe-path.ts';

const MOST_REF = 4096;
const MOST_LOG = 16 * 1024 * 1024;
const MOST_DEPTH = 32;

/**
 * Lists the refs of a repository of the user's, by full names (bytes, latin1); names for other refs are passed over.
 * @throws DevLoopError vault_damaged; IoError path_refused
 */
export function readUserRefs(common: string): ReadonlyMap<string, Oid> {
  const refs = new Map([...readPackedRefs(common)].filter(([name]) => name.startsWith('refs/')));
  for (const name of looseNames(common, 'refs', MOST_DEPTH)) {
    const text = readBelow(common, name, MOST_REF)?.toString('latin1').trim();
    if (text === undefined || text.startsWith('ref: ')) continue;
    if (!OID.test(text)) throw new DevLoopError('vault_damaged', `the ref ${name} holds no object id`);
    refs.set(name, text as Oid);
  }
  return new Map([...refs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The commits of all stash entries, newest first. */
export function readStashes(common: string): readonly Oid[] {
  const log = readBelow(common, 'logs/refs/stash', MOST_LOG)?.toString('latin1') ?? '';
  const entries = log.split('\n').map((line) => line.split(' ')[1] ?? '');
  return entries.filter((oid) => OID.test(oid)).reverse() as Oid[];
}

const OID = /^[0-9a-f]{40}$/;

function* looseNames(common: string, folder: string, depth: number): Generator<string> {
  for (const entry of entriesOf(common, folder)) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory() && depth > 0) yield* looseNames(common, name, depth - 1);
    else if (!name.endsWith('.lock')) yield name;
  }
}

function entriesOf(common: string, folder: string): readonly Dirent[] {
  try {
    return readdirSync(pathBelow(common, folder), { encoding: 'latin1', withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
