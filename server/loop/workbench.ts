import type { BytePath } from '../domain/byte-path.ts';
import type { FileChange } from '../domain/commit.ts';
import type { StartingPoint } from '../domain/effect.ts';
import type { ProjectId } from '../domain/ids.ts';
import { inScope, LEDGER_FILES, type WriteScope } from '../domain/write-scope.ts';
import type { LedgerEntry, LoopPorts } from './ports.ts';
import { serial } from './serial.ts';

/** What piece of work may write (`own`), and where what it changes is not held against others (`reach`). */
export interface Place {
  readonly own: WriteScope;
  readonly reach: WriteScope;
  readonly from?: StartingPoint | undefined;
}

/** What was found when a piece of work ended. All but `changed` is put back already. */
export interface Judgement {
  /** In its own scope. */
  readonly changed: readonly FileChange[];
  /** Outside of it, and of the reach of all other work under way. */
  readonly strays: readonly FileChange[];
  /** Names in `.git`. */
  readonly tampered: readonly string[];
}

/**
 * Tells the changes of one project's work apart: agents' calls and test runs that are under way together, and the server's own
 * writes. Between the first begin and the last end the vault's baseline is held.
 */
export class Workbench {
  readonly #ports: Pick<LoopPorts, 'vault' | 'projects' | 'ledgers'>;
  readonly #pid: ProjectId;
  readonly #active = new Map<string, Place>();
  readonly #alone = serial();

  constructor(ports: Pick<LoopPorts, 'vault' | 'projects' | 'ledgers'>, pid: ProjectId) {
    this.#ports = ports;
    this.#pid = pid;
  }

  begin(key: string, place: Place): Promise<void> {
    return this.#alone(async () => {
      const { vault } = this.#ports;
      const first = this.#active.size === 0;
      this.#active.set(key, place);
      try {
        if (first) await vault.takeBaseline(this.#pid);
        if (first) await vault.seal(this.#pid);
        if (place.from !== undefined) await this.#startFrom(place.from);
      } catch (error) {
        await this.#leave(key);
        throw error;
      }
    });
  }

  /** Judges what has changed, puts back what may not have, and leaves. */
  end(key: string): Promise<Judgement> {
    return this.#alone(async () => {
      try {
        return await this.#judge(key);
      } finally {
        await this.#leave(key);
      }
    });
  }

  /** Runs something of a call's in its midst, such as a test command: what that leaves outside of the call's scope is put back. */
  async aside<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = new Set(await this.#strayPaths(key));
    try {
      return await work();
    } finally {
      const left = (await this.#strayPaths(key)).filter((path) => !before.has(path));
      if (left.length > 0) await this.#alone(() => this.#ports.vault.putBack(this.#pid, left, 'left-by-tests'));
    }
  }

  /** A write of the server's own: the baseline moves on with it. */
  write(path: string, content: string): Promise<void> {
    return this.alongside([path], () => this.#ports.projects.write(this.#pid, path, content));
  }

  /** Appends to the ledgers. */
  tell(position: number, entry: LedgerEntry): Promise<void> {
    return this.alongside(LEDGER_FILES, () => this.#ports.ledgers.append(this.#pid, position, entry));
  }

  /** Work of the server's own that changes these files. */
  alongside<T>(files: WriteScope, work: () => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      const result = await work();
      if (this.#active.size > 0) await this.#ports.vault.advanceBaseline(this.#pid, files);
      return result;
    });
  }

  async #startFrom({ rev, files }: StartingPoint): Promise<void> {
    const { vault } = this.#ports;
    await vault.restoreFiles(this.#pid, { rev, files, reason: 'call-again' });
    await vault.advanceBaseline(this.#pid, files);
  }

  #strayPaths(key: string): Promise<readonly BytePath[]> {
    return this.#alone(async () =>
      this.#strays(await this.#ports.vault.changesSinceBaseline(this.#pid), key).map(pathOf),
    );
  }

  #strays(changes: readonly FileChange[], key: string): readonly FileChange[] {
    const own = this.#active.get(key)?.own ?? [];
    const others = [...this.#active].filter(([other]) => other !== key).flatMap(([, { reach }]) => reach);
    return changes.filter(({ path }) => !inScope(path, [...own, ...others]));
  }

  async #judge(key: string): Promise<Judgement> {
    const { vault } = this.#ports;
    const own = this.#active.get(key)?.own ?? [];
    const changes = await vault.changesSinceBaseline(this.#pid);
    const changed = changes.filter(({ path }) => inScope(path, own));
    const strays = this.#strays(changes, key);
    if (strays.length > 0) await vault.putBack(this.#pid, strays.map(pathOf), 'stray');
    const tampered = await vault.checkSeal(this.#pid);
    await vault.advanceBaseline(this.#pid, own);
    return { changed, strays, tampered };
  }

  async #leave(key: string): Promise<void> {
    this.#active.delete(key);
    if (this.#active.size === 0) await this.#ports.vault.dropBaseline(this.#pid);
  }
}

const pathOf = ({ path }: FileChange): BytePath => path;
