import type { TreeFolder } from '../domain/file-tree.ts';
import type { DiskFolder } from './disk-tree.ts';
import { readState, writeState } from './state-file.ts';

/** Milliseconds after which what was learned is kept: at first soon, since all was read for it; later changes are few, and keeping costs the whole. */
const SAVE_DELAY_MS = { first: 1000, later: 30_000 } as const;

/** What is known about a folder: in memory, and from one start to the next in a state file. */
export class TreeMemory {
  readonly #file: string;
  readonly #rulesKey: string;
  #disk: DiskFolder | undefined;
  #committed: TreeFolder | undefined;
  #loaded = false;
  #saved = false;
  #saving: NodeJS.Timeout | undefined;

  /** @param rulesKey what was seen by other rules does not count */
  constructor(file: string, rulesKey: string) {
    this.#file = file;
    this.#rulesKey = rulesKey;
  }

  /** The disk as it was seen last. */
  get disk(): DiskFolder | undefined {
    this.#load();
    return this.#disk;
  }

  /** The tree that was written or loaded last. */
  get committed(): TreeFolder | undefined {
    this.#load();
    return this.#committed;
  }

  learn(known: { readonly disk?: DiskFolder; readonly committed?: TreeFolder }): void {
    const { disk = this.disk, committed = this.committed } = known;
    if (disk === this.#disk && committed === this.#committed) return;
    this.#disk = disk;
    this.#committed = committed;
    this.#saving ??= setTimeout(() => this.save(), this.#saved ? SAVE_DELAY_MS.later : SAVE_DELAY_MS.first).unref();
  }

  forget(): void {
    this.#loaded = true;
    this.#disk = undefined;
    this.#committed = undefined;
  }

  save(): void {
    const isNews = this.#saving !== undefined;
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (!isNews || this.#disk === undefined) return;
    this.#saved = true;
    writeState(this.#file, { rulesKey: this.#rulesKey, disk: this.#disk, committed: this.#committed });
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    const state = readState(this.#file);
    this.#disk = state?.rulesKey === this.#rulesKey ? state.disk : undefined;
    this.#committed = state?.committed;
  }
}
