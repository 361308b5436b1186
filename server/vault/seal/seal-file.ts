import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Oid, parseOid } from '../../domain/ids.ts';
import { hasCode } from '../../io/io-error.ts';
import { syncFolder } from '../../io/write-atomic.ts';
import type { Stamp } from './git-dir-stamps.ts';

/** What `.git` was before the agent calls that are running, or after the server's last write since. */
export interface Seal {
  /** True while the server itself writes to `.git`. */
  readonly writing: boolean;
  /** Stamp of every entry by its path below `.git` (bytes, latin1). */
  readonly entries: ReadonlyMap<string, Stamp>;
  /** Content of the files that nothing else has a copy of. */
  readonly copies: ReadonlyMap<string, Buffer>;
  /** Refs that are not in the server's record: a person's own. */
  readonly ownRefs: ReadonlyMap<string, Oid>;
  /** Names of what was changed since the last check, put back already. */
  readonly found: readonly string[];
}

/** Reads the seal in the server's folder for a project; undefined where no call is running. */
export function readSeal(state: string): Seal | undefined {
  // Nearly always none is there, and to be told so is cheaper than to fail.
  const text = hasSeal(state) ? textOf(join(state, NAME)) : undefined;
  if (text === undefined) return undefined;
  const { writing, entries, copies, own_refs, found } = schema.parse(JSON.parse(text));
  return {
    writing,
    entries: new Map(entries),
    copies: new Map(copies.map(([path, content]) => [path, Buffer.from(content, 'base64')])),
    ownRefs: new Map(own_refs),
    found,
  };
}

export const hasSeal = (state: string): boolean => existsSync(join(state, NAME));

/** Replaces the seal. It outlives a kill; after a power cut no agent is left that it could be held against. */
export function writeSeal(state: string, { entries, copies, ownRefs, ...seal }: Seal): void {
  const text = JSON.stringify({
    schema: 1,
    ...seal,
    entries: [...entries],
    copies: [...copies].map(([path, content]) => [path, content.toString('base64')]),
    own_refs: [...ownRefs],
  });
  const path = join(state, NAME);
  writeFileSync(`${path}.new`, `${text}\n`);
  renameSync(`${path}.new`, path);
}

/** Durably: a seal that came back after a power cut would take for foreign what was committed since. */
export function removeSeal(state: string): void {
  rmSync(join(state, NAME), { force: true });
  syncFolder(state);
}

const NAME = 'seal.json';

const pairs = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.string(), value]));

const schema = z.object({
  schema: z.literal(1),
  writing: z.boolean(),
  entries: pairs(z.string()),
  copies: pairs(z.string()),
  own_refs: pairs(z.string().transform((text) => parseOid(text))),
  found: z.array(z.string()),
});

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
