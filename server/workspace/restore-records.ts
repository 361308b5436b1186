import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { parseRestoreId, type RestoreId } from '../domain/point.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { type RestoreRecord, restoreRecordSchema } from '../domain/workspace-restore.ts';
import { hasCode } from '../io/io-error.ts';
import { writeAtomicSoon } from '../io/sync-soon.ts';
import type { NotedFile } from '../tree/index.ts';

/** Reads what is known of a restore. Throws `not_found`, `store_damaged`. */
export function readRestore(store: string, id: RestoreId): RestoreRecord {
  const record = readRecord(pathOf(store, id));
  if (record !== undefined) return record;
  throw new DevLoopError('not_found', `there is no restore ${id}`, { data: { id } });
}

/** Keeps what is known of a restore, durably. Throws `disk_full`, `read_only`, `permission_denied`. */
export async function writeRestore(store: string, record: RestoreRecord): Promise<void> {
  try {
    await writeAtomicSoon(pathOf(store, record.id), encode(record), { mode: 0o600 });
  } catch (error) {
    throw systemRefusal(error, { doing: `keeping what is known of the restore ${record.id}` });
  }
}

/** The same as a file that is written with the steps of a restore. */
export const notedRestore = (record: RestoreRecord): NotedFile => ({
  path: join('..', RESTORES, nameOf(record.id)),
  text: encode(record),
});

/** Keeps a new plan. It is not synced: one that a power cut takes away is made again. */
export function writePlan(store: string, record: RestoreRecord): void {
  writeFileSync(pathOf(store, record.id), encode(record), { mode: 0o600, flag: 'wx' });
}

const encode = (record: RestoreRecord): string => `${JSON.stringify(record)}\n`;

/** The restores that were applied, newest first. */
export function appliedRestores(store: string): readonly RestoreRecord[] {
  const records = ids(store).map((id) => readRecord(pathOf(store, id)));
  return records.filter((record) => record?.state === 'applied').reverse() as readonly RestoreRecord[];
}

const DAY_MS = 86_400_000;

/** Drops plans that nobody applied within a day, and what is known of restores beside those that are kept. */
export function dropOldRestores(store: string, now: Date, keepApplied: number): void {
  const kept = new Set(
    appliedRestores(store)
      .slice(0, keepApplied)
      .map(({ id }) => id),
  );
  for (const id of ids(store)) {
    const record = readRecord(pathOf(store, id));
    const isOld = record?.state === 'planned' ? Date.parse(record.made_at) < now.getTime() - DAY_MS : !kept.has(id);
    if (record === undefined || isOld) rmSync(pathOf(store, id), { force: true });
  }
}

const RESTORES = 'restores';
const nameOf = (id: string): string => `${id}.json`;
const pathOf = (store: string, id: string): string => join(store, RESTORES, nameOf(id));

function ids(store: string): readonly RestoreId[] {
  const names = readdirSync(join(store, 'restores')).filter((name) => /^[0-9t]+-[0-9a-f]{6}\.json$/.test(name));
  return names.sort().map((name) => parseRestoreId(name.slice(0, -'.json'.length)));
}

function readRecord(path: string): RestoreRecord | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    // As a kill or a power cut leaves a plan.
    if (!text.endsWith('\n')) return undefined;
    const parsed = restoreRecordSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DevLoopError('store_damaged', `${path} cannot be read`, { data: { path }, hint: 'Remove the file.' });
}
