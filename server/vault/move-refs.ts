import type { ObjectWriter } from '../git/objects/object-writer.ts';
import { type PreparedRefs, prepareRefs, type RefUpdate } from '../git/ref-transaction.ts';
import { allEnded } from '../io/all-ended.ts';
import type { LockedVault } from './open-vault.ts';
import type { RecordedCommit } from './refs-record.ts';
import { settleRefs } from './settle-refs.ts';

export interface Move {
  readonly updates: readonly RefUpdate[];
  /** New objects that the refs need: they are on the disk before any ref moves, and have their names. */
  readonly objects?: ObjectWriter;
  readonly commit?: RecordedCommit;
  readonly companion?: Companion;
}

/** What follows the refs and may be behind them. */
export interface Companion {
  /** Is called when all is on the disk but its names. Where it fails nothing moves. */
  prepare(): Promise<void>;
  /** Is called once the refs have moved, while that reaches the disk. */
  publish(): Promise<void>;
}

/**
 * Moves refs as one: durable when it resolves; after a kill or power cut at any point all have moved or none, once the
 * vault is settled. Where it fails, none has, or all have and are on record. Throws `ref_moved`, `vault_busy`, or what the disk said.
 */
export async function moveRefs(vault: LockedVault, move: Move): Promise<void> {
  await settleRefs(vault);
  const prepared = await ready(vault, move);
  try {
    await move.companion?.prepare();
    await publish(prepared, move);
    vault.refs.confirm();
    vault.refs.tell();
  } catch (error) {
    prepared.abort();
    await settleRefs(vault);
    throw error;
  }
}

/** The objects have their names first. Where a power cut takes them and not a ref's, the record tells what the ref was. */
async function publish(prepared: PreparedRefs, { objects, companion }: Move): Promise<void> {
  const syncObjects = objects?.publish();
  const syncRefs = prepared.commit();
  await allEnded([syncObjects?.(), syncRefs(), companion?.publish()]);
}

/** Writes the objects, the locks and the record side by side, so that the disk is waited for once. */
async function ready(vault: LockedVault, { updates, objects, commit }: Move): Promise<PreparedRefs> {
  const ts = vault.settings.now().toISOString();
  // A file system that keeps a journal writes it once where all that is new has its blocks first: most comes first.
  const writing = objects?.prepare();
  const preparing = prepareRefs({ gitDir: vault.gitDir, updates });
  const recording = vault.refs.begin({ updates, ts, ...(commit && { commit }) });
  const [prepared, ...others] = await Promise.allSettled([preparing, recording, writing]);
  const failed = [prepared, ...others].find((result) => result.status === 'rejected');
  if (prepared.status === 'fulfilled' && failed === undefined) return prepared.value;
  if (prepared.status === 'fulfilled') prepared.value.abort();
  vault.refs.revoke();
  await objects?.abort();
  throw failed?.reason;
}
