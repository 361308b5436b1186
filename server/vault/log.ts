import type { CommitInfo } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { type Oid, parseOid } from '../domain/ids.ts';
import { revList } from '../git/rev-list.ts';
import { type CommitFilter, commitFilter, type FilterQuery } from './commit-filter.ts';
import { readCommit, readCommitInfos } from './commit-info.ts';
import { type OpenVault, recordedHead } from './open-vault.ts';

export interface LogQuery extends FilterQuery {
  /** 1 to 1,000; 50 where absent. */
  readonly limit?: number;
  /** `next` of the page before, with the other fields as they were. */
  readonly cursor?: string;
}

export interface LogPage {
  readonly items: readonly CommitInfo[];
  /** Absent on the last page. */
  readonly next?: string;
}

/**
 * Lists commits of main, newest first. Pages go on from the head that the first one saw, whatever is committed meanwhile. git gives
 * the order only: what is looked for is looked for in commits and trees that hash to their ids.
 * @throws DevLoopError validation_failed, vault_damaged, object_missing
 */
export async function log(vault: OpenVault, query: LogQuery): Promise<LogPage> {
  const { limit = 50, cursor } = query;
  const filter = commitFilter(vault, query);
  const place = cursor === undefined ? { start: recordedHead(vault), skip: 0 } : parseCursor(cursor);
  const most = Math.min(Math.max(limit, 1), MOST);
  const oids = await revList(vault.shadow, place.start, {
    skip: place.skip,
    ...(filter === undefined && { limit: most + 1 }),
  });
  const { found, passed } =
    filter === undefined
      ? { found: oids.slice(0, most), passed: most }
      : await findMatching(vault, oids, { filter, most });
  const items = await readCommitInfos(vault, found);
  if (passed >= oids.length) return { items };
  return { items, next: printCursor({ start: place.start, skip: place.skip + passed }) };
}

const MOST = 1000;
/** Commits that are read at once. */
const CHUNK = 250;

/** Looks at commits in their order until enough are found. @returns how many were passed as well */
async function findMatching(
  vault: OpenVault,
  oids: readonly Oid[],
  { filter, most }: { readonly filter: CommitFilter; readonly most: number },
): Promise<{ readonly found: readonly Oid[]; readonly passed: number }> {
  const found: Oid[] = [];
  for (let at = 0; at < oids.length; at += CHUNK) {
    const chunk = oids.slice(at, at + CHUNK);
    const matches = await Promise.all(chunk.map(async (oid) => filter(await readCommit(vault, oid))));
    for (const [i, oid] of chunk.entries()) {
      if (matches[i]) found.push(oid);
      if (found.length === most) return { found, passed: at + i + 1 };
    }
  }
  return { found, passed: oids.length };
}

/** Where a page begins: how many commits are passed over, counted from one. */
interface Place {
  readonly start: Oid;
  readonly skip: number;
}

function printCursor({ start, skip }: Place): string {
  return Buffer.from(`${start}.${skip}`).toString('base64url');
}

function parseCursor(cursor: string): Place {
  const [, start, skip] = /^([0-9a-f]{40})\.(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (start === undefined)
    throw new DevLoopError('validation_failed', 'the cursor is not one that this list gave', {
      data: { field: 'cursor' },
    });
  return { start: parseOid(start), skip: Number(skip) };
}
