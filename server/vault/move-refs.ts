import { ZERO_OID } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import type { KeptNote } from '../git/ahead/note-slot.ts';
import type { ObjectFile } from '../git/objects/object-file.ts';
import type { StepwiseWriter } from '../git/objects/object-writer.ts';
import { type PreparedRefs, prepareRefs, type RefUpdate } from '../git/ref-transaction.ts';
import { expectRef } from '../git/refs.ts';
import { allEnded } from '../io/all-ended.ts';
import type { SyncNames } from '../io/sync-soon.ts';
import type { LockedVault } from './open-vault.ts';
import type { RecordedCommit, RefMoveLine } from './refs-record.ts';
import { hasSeal } from './seal/seal-file.ts';
import { settleRefs } from './settle-refs.ts';

export interface Move {
  readonly updates: readonly RefUpdate[];
  /** New objects that the refs need: they have their names before any ref moves. */
  readonly objects?: Pick<StepwiseWriter, 'complete' | 'writeFiles' | 'close' | 'publish'>;
  readonly commit?: RecordedCommit;
  readonly companion?: Companion;
}

/** What follows the refs and may be behind them. */
export interface Companion {
  /** Is called when nothing is missing but names. Where it fails nothing moves. */
  prepare(): Promise<void>;
  /** Is called once the refs have moved; the move may have been told of by then. */
  publish(): Promise<void>;
  /** Is called where they do not move; after `publish` this does nothing. */
  drop(): void;
}

/**
 * Moves refs as one: durable when it resolves; after a kill or power cut at any point all have moved or none, once the
 * vault is settled. Where it fails, none has, or all have and are on record. Throws `ref_moved`, `vault_busy`, or what the disk said.
 */
export async function moveRefs(vault: LockedVault, move: Move): Promise<void> {
  await settleRefs(vault);
  for (const { ref, old } of move.updates) expectRef(vault.gitDir, ref, old);
  const files = move.objects === undefined ? [] : await move.objects.complete();
  const { updates, commit } = move;
  const ts = vault.settings.now().toISOString();
  const moving = new Moving(vault, move, vault.refs.next({ updates, ts, ...(commit && { commit }) }));
  try {
    await moving.write(files);
    await moving.publish();
  } catch (error) {
    await moving.giveUp();
    throw error;
  }
}

class Moving {
  readonly #vault: LockedVault;
  readonly #move: Move;
  readonly #line: RefMoveLine;
  /** Makes the move durable while its files are not. */
  #note: KeptNote | undefined;
  #prepared: PreparedRefs | undefined;
  /** Whether a ref may have moved. */
  #begun = false;

  constructor(vault: LockedVault, move: Move, line: RefMoveLine) {
    this.#vault = vault;
    this.#move = move;
    this.#line = line;
  }

  /** Makes the move durable but for its names. While the disk is at work on the note all else is written, beside its place. */
  async write(files: readonly ObjectFile[] | undefined): Promise<void> {
    const noting = this.#keepNote(files).then((note) => {
      this.#note = note;
    });
    await allEnded([noting, this.#writeFiles()]);
    if (this.#note === undefined) await this.#syncFiles();
    await this.#move.companion?.prepare();
  }

  /** The objects have their names first. Where a power cut takes them and not a ref's, the record tells what the ref was. */
  async publish(): Promise<void> {
    const { refs } = this.#vault;
    const { objects, companion } = this.#move;
    const syncObjects = objects?.publish();
    this.#begun = true;
    const names = [syncObjects, this.#prepared?.commit()];
    const syncNames: SyncNames = async () => void (await allEnded(names.map((sync) => sync?.())));
    if (this.#note === undefined) await allEnded([syncNames(), companion?.publish()]);
    refs.confirm();
    if (this.#note === undefined) refs.tell();
    this.#note?.settle(async () => {
      await allEnded([companion?.publish(), this.#syncFiles(), syncNames()]);
      refs.tell();
    });
  }

  /** The note stays only where the move came to pass all the same, or that cannot be told. */
  async giveUp(): Promise<void> {
    this.#prepared?.abort();
    this.#move.companion?.drop();
    // Before anything that may fail as well: what is reported as failed must not be redone.
    if (!this.#begun) await this.#note?.revoke();
    try {
      await settleRefs(this.#vault);
      await this.#syncFiles();
    } catch (error) {
      if (this.#begun) this.#note?.leave();
      throw error;
    }
    if (this.#begun) await this.#dropNote();
  }

  async #dropNote(): Promise<void> {
    const cameToPass = this.#line.updates.every((update) => this.#vault.refs.get(update.ref) === update.new);
    if (cameToPass) this.#note?.leave();
    else await this.#note?.revoke();
  }

  /**
   * Undefined where there is no room for a note, a ref goes, or the repository is being made; and while agent calls run, whose
   * seal says what may be in `.git` at any moment.
   */
  async #keepNote(files: readonly ObjectFile[] | undefined): Promise<KeptNote | undefined> {
    const { n, updates, ...record } = this.#line;
    const { ahead, refs, state } = this.#vault;
    if (files === undefined || refs.get(MAIN) === undefined || hasSeal(state)) return undefined;
    if (updates.some((update) => update.new === ZERO_OID)) return undefined;
    return ahead?.keep({ n, updates, files, record });
  }

  async #writeFiles(): Promise<void> {
    this.#move.objects?.writeFiles();
    this.#prepared = await prepareRefs({ gitDir: this.#vault.gitDir, updates: this.#move.updates });
    this.#vault.refs.note(this.#line);
  }

  /** Side by side, so that the disk is waited for once. */
  async #syncFiles(): Promise<void> {
    await allEnded([this.#move.objects?.close(), this.#prepared?.sync(), this.#vault.refs.sync()]);
  }
}
