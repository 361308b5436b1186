import type { Readable } from 'node:stream';
import { DevLoopError } from '../domain/errors.ts';
import type { ProjectId } from '../domain/ids.ts';
import type { WriteAhead } from '../git/ahead/write-ahead.ts';
import { KeyedMutex } from '../io/keyed-mutex.ts';
import { mend } from './mend.ts';
import { needsMending } from './needs-mending.ts';
import { type LockedVault, type OpenVault, openVault, type VaultSettings } from './open-vault.ts';
import type { ProjectPlace } from './project-scan.ts';
import { writeUnderSeal } from './seal/seal.ts';
import { settleRefs } from './settle-refs.ts';

export interface VaultSetOptions {
  /** Throws `project_not_found`. */
  readonly locate: (pid: ProjectId) => Promise<ProjectPlace>;
  readonly settings: VaultSettings;
  /** Makes moves of refs durable before their files are, and the index follows a commit that was told of; absent: all is waited for. */
  readonly ahead?: WriteAhead;
  /** Called after each call that wrote. */
  readonly onWrite?: (pid: ProjectId) => void;
  /** Is told what of a repository had to be put right before it could be worked on, in words. */
  readonly onMended?: (pid: ProjectId, what: readonly string[]) => void;
}

interface Slot {
  readonly vault: OpenVault;
  users: number;
}

/** How long a call waits for others that write to the same project; ms. */
const WAIT_MS = 120_000;
/** Vaults that are kept open, unless more are in use: each remembers its project's files. */
const MOST_OPEN = 64;

/** The open vaults, by project: opened when they are asked for, those not used for the longest time closed. */
export class VaultSet {
  readonly #options: VaultSetOptions;
  /** Those used last come last. */
  readonly #slots = new Map<ProjectId, Slot>();
  readonly #writers = new KeyedMutex({ timeout_ms: WAIT_MS, onTimeout: busy });

  constructor(options: VaultSetOptions) {
    this.#options = options;
  }

  /** Does work that only reads; readers do not wait for writers. */
  async read<Result>(pid: ProjectId, work: (vault: OpenVault) => Result | Promise<Result>): Promise<Result> {
    return this.#use(pid, async (vault) => {
      if (needsMending(vault)) await this.sound(pid, async () => {});
      return work(vault);
    });
  }

  /** Gives a stream out of a vault, which stays open until the stream is closed. */
  async stream(pid: ProjectId, start: (vault: OpenVault) => Readable | Promise<Readable>): Promise<Readable> {
    const slot = await this.#take(pid);
    try {
      if (needsMending(slot.vault)) await this.sound(pid, async () => {});
      const stream = await start(slot.vault);
      stream.once('close', () => this.#release(slot));
      return stream;
    } catch (error) {
      this.#release(slot);
      throw error;
    }
  }

  /** Does work that writes, one call a project at a time, in the order of asking. */
  write<Result>(pid: ProjectId, work: (vault: LockedVault) => Promise<Result>): Promise<Result> {
    return this.sound(pid, async (vault) => {
      const result = await writeUnderSeal(vault, () => work(vault));
      this.#options.onWrite?.(pid);
      return result;
    });
  }

  /** Does work on a vault that is put right first where it must be, one call a project at a time. */
  sound<Result>(
    pid: ProjectId,
    work: (vault: LockedVault) => Promise<Result>,
    isUnsound = needsMending,
  ): Promise<Result> {
    return this.exclusive(pid, async (vault) => {
      const what = isUnsound(vault) ? await mend(vault) : [];
      if (what.length > 0) this.#options.onMended?.(pid, what);
      await settleRefs(vault);
      return work(vault);
    });
  }

  /** The same on a vault as a killed server, or somebody else, may have left it. */
  exclusive<Result>(pid: ProjectId, work: (vault: LockedVault) => Promise<Result>): Promise<Result> {
    return this.#writers.run(pid, () =>
      this.#use(pid, async (vault) => {
        await vault.ahead?.settling;
        return work(vault as LockedVault);
      }),
    );
  }

  /** Resolves when what was written is on the disk where git has it; durable it was before. */
  async settled(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(({ vault }) => vault.ahead?.settling));
  }

  /** Forgets one project: after it was deleted or rebuilt. */
  drop(pid: ProjectId): void {
    this.#slots.get(pid)?.vault.close();
    this.#slots.delete(pid);
  }

  close(): void {
    for (const pid of [...this.#slots.keys()]) this.drop(pid);
  }

  async #use<Result>(pid: ProjectId, work: (vault: OpenVault) => Result | Promise<Result>): Promise<Result> {
    const slot = await this.#take(pid);
    try {
      return await work(slot.vault);
    } finally {
      this.#release(slot);
    }
  }

  async #take(pid: ProjectId): Promise<Slot> {
    const place = await this.#options.locate(pid);
    const before = this.#slots.get(pid);
    const moved = before !== undefined && before.vault.root !== place.root;
    if (moved) this.drop(pid);
    const slot = (!moved && before) || {
      vault: openVault(place, this.#options.settings, this.#options.ahead),
      users: 0,
    };
    this.#slots.set(pid, slot);
    slot.users++;
    return slot;
  }

  #release(slot: Slot): void {
    slot.users--;
    const { pid } = slot.vault;
    if (this.#slots.get(pid) !== slot) return;
    this.#slots.delete(pid);
    this.#slots.set(pid, slot);
    if (this.#slots.size > MOST_OPEN) this.#dropIdle();
  }

  #dropIdle(): void {
    for (const [pid, { users, vault }] of this.#slots) {
      if (users > 0 || vault.ahead?.settling !== undefined) continue;
      this.drop(pid);
      if (this.#slots.size <= MOST_OPEN) return;
    }
  }
}

function busy(pid: string): DevLoopError {
  return new DevLoopError('vault_busy', `project ${pid} has been busy for ${WAIT_MS / 1000} seconds`, {
    data: { pid },
    hint: 'Try again later.',
  });
}
