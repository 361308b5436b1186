import type { BytePath } from '../domain/byte-path.ts';
import type { CommitInfo } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { type Oid, parseOid } from '../domain/ids.ts';
import { revList } from '../git/rev-list.ts';
import { readCommitInfos } from './commit-info.ts';
import { type OpenVault, recordedHead } from './open-vault.ts';

export interface LogQuery {
  /** 1 to 1,000; 50 where absent. */
  readonly limit?: number;
  /** `next` of the page before, with the other fields as they were. */
  readonly cursor?: string;
  /** ISO 8601; commits older than it are left out. */
  readonly since?: string;
  /** Plain text in the message, case ignored. */
  readonly grep?: string;
  /** Only what changed this file, or something below this folder. */
  readonly path?: BytePath;
  /** Plain text in the author's name or email, case ignored. */
  readonly author?: string;
}

export interface LogPage {
  readonly items: readonly CommitInfo[];
  /** Absent on the last page. */
  readonly next?: string;
}

/**
 * Lists commits of main, newest first. Pages go on from the head that the first one saw, whatever is committed meanwhile.
 * @throws DevLoopError bad_request, vault_damaged
 */
export async function log(vault: OpenVault, query: LogQuery): Promise<LogPage> {
  const { limit = 50, cursor, since, grep, path, author } = query;
  const place = cursor === undefined ? { start: recordedHead(vault), skip: 0 } : parseCursor(cursor);
  const filters = {
    ...(since && { since: parseTime(since) }),
    ...(grep && { grep }),
    ...(path && { path }),
    ...(author && { author }),
  };
  const most = Math.min(Math.max(limit, 1), MOST);
  const found = await revList(vault.shadow, place.start, { limit: most + 1, skip: place.skip, ...filters });
  const items = await readCommitInfos(vault, found.slice(0, most));
  if (found.length <= most) return { items };
  return { items, next: printCursor({ start: place.start, skip: place.skip + most }) };
}

const MOST = 1000;

/** Where a page begins: how many matching commits are passed over, counted from a commit. */
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
    throw new DevLoopError('bad_request', 'the cursor is not one that this list gave', { data: { field: 'cursor' } });
  return { start: parseOid(start), skip: Number(skip) };
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new DevLoopError('bad_request', `${JSON.stringify(text)} is not a time`, { data: { field: 'since' } });
  return time;
}
