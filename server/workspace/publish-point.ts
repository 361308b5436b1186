import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import type { Manifest } from '../domain/point.ts';
import type { KeptNote } from '../git/ahead/note-slot.ts';
import type { ObjectFile } from '../git/objects/object-file.ts';
import { type PreparedRefs, prepareRefs, type RefUpdate } from '../git/ref-transaction.ts';
import { allEnded } from '../io/all-ended.ts';
import type { SyncNames } from '../io/sync-soon.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { putPointCommit } from './point-commit.ts';
import { keepPointNote } from './point-note.ts';
import { pointRef } from './point-ref.ts';
import type { PointWriter } from './point-sink.ts';
import { holdFor, type Locked } from './workspace-lock.ts';

/**
 * Makes a point: whole and durable when it resolves, not there at all when it fails. A small one is durable by its note, and the
 * lock is held until the disk has its files.
 */
export async function publishPoint(
  workspace: Locked<OpenWorkspace>,
  writer: PointWriter,
  point: { readonly files: Oid; readonly manifest: Manifest },
): Promise<Oid> {
  const commit = putPointCommit(writer, point.files, point.manifest);
  const ref = pointRef(point.manifest.id);
  const publishing = new Publishing(workspace, writer, { ref, old: ZERO_OID, new: commit });
  try {
    await publishing.write();
    await publishing.publish();
  } catch (error) {
    await publishing.giveUp();
    throw error;
  }
  return commit;
}

class Publishing {
  readonly #workspace: Locked<OpenWorkspace>;
  readonly #writer: PointWriter;
  readonly #update: RefUpdate;
  #note: KeptNote | undefined;
  #prepared: PreparedRefs | undefined;

  constructor(workspace: Locked<OpenWorkspace>, writer: PointWriter, update: RefUpdate) {
    this.#workspace = workspace;
    this.#writer = writer;
    this.#update = update;
  }

  /** Makes it durable but for its names: by a note of all of it, or where it is too large for one, by its files. */
  async write(): Promise<void> {
    const files = await this.#writer.complete();
    await allEnded([this.#keepNote(files), this.#writeFiles()]);
    if (this.#note === undefined) await this.#syncFiles();
  }

  async publish(): Promise<void> {
    const names = [this.#writer.publish(), this.#prepared?.commit()];
    const syncNames: SyncNames = async () => void (await allEnded(names.map((sync) => sync?.())));
    if (this.#note === undefined) return syncNames();
    holdFor(this.#workspace, this.#settle(this.#note, syncNames));
  }

  /** Its files are dropped by who has the writer. Where the disk does not take the note back, the point may come to pass. */
  async giveUp(): Promise<void> {
    this.#prepared?.abort();
    try {
      await this.#note?.revoke();
    } catch (error) {
      this.#note?.leave();
      throw error;
    }
  }

  async #keepNote(files: readonly ObjectFile[] | undefined): Promise<void> {
    if (files === undefined) return;
    this.#note = await keepPointNote(this.#workspace, { updates: [this.#update], files });
  }

  async #writeFiles(): Promise<void> {
    this.#writer.writeFiles();
    this.#prepared = await prepareRefs({ gitDir: this.#workspace.repository, updates: [this.#update] });
  }

  /** Side by side, so that the disk is waited for once. */
  async #syncFiles(): Promise<void> {
    await allEnded([this.#writer.close(), this.#prepared?.sync()]);
  }

  /** Where the disk refuses it, the note stays: whoever takes the lock next goes on from there, or is told. */
  async #settle(note: KeptNote, syncNames: SyncNames): Promise<void> {
    // Who waits for the point goes first.
    await nextTurn();
    try {
      await allEnded([this.#syncFiles(), syncNames()]);
      await note.revoke();
    } catch {
      // It is met again by who redoes the note.
      note.leave();
    }
  }
}
