import { DevLoopError } from './domain/errors.ts';
import type { WorkspaceId } from './domain/point.ts';
import type { Workspace } from './workspace/index.ts';

interface Lent {
  readonly workspace: Workspace;
  users: number;
  /** Closes it where nobody has used it for a while. */
  idle?: NodeJS.Timeout;
  /** Set where it is to be closed when its users have done. */
  evicted?: { readonly closed: Promise<void>; readonly close: () => void };
}

export interface PoolOptions {
  /** Throws `workspace_not_found`. */
  readonly open: (id: WorkspaceId) => Workspace;
  /** How long one that nobody uses stays open; milliseconds. */
  readonly idle_ms: number;
  /** Told where one that was idle could not be closed. */
  readonly onFault: (error: unknown) => void;
}

/** Keeps workspaces open from one request to the next. */
export class WorkspacePool {
  readonly #options: PoolOptions;
  readonly #lent = new Map<WorkspaceId, Lent>();
  readonly #closed = new Set<WorkspaceId>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#lent.size;
  }

  /** Opens it where it is not, and keeps it open for as long as the work takes. Throws `workspace_not_found`. */
  async use<Result>(id: WorkspaceId, work: (workspace: Workspace) => Promise<Result>): Promise<Result> {
    const lent = this.#take(id);
    try {
      return await work(lent.workspace);
    } finally {
      this.#giveBack(id, lent);
    }
  }

  /** Resolves when nobody uses it and it is closed; then does work that needs it so. Meanwhile it is not found. */
  async withoutIt<Result>(id: WorkspaceId, work: () => Promise<Result>): Promise<Result> {
    this.#closed.add(id);
    try {
      await this.evict(id);
      return await work();
    } finally {
      this.#closed.delete(id);
    }
  }

  /** The next one who uses it opens it anew. Resolves when it is closed. */
  async evict(id: WorkspaceId): Promise<void> {
    const lent = this.#lent.get(id);
    if (lent === undefined) return;
    this.#lent.delete(id);
    clearTimeout(lent.idle);
    if (lent.users > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      lent.evicted = { closed: promise, close: resolve };
      await promise;
    }
    await lent.workspace.close();
  }

  /** The same for who does not wait. */
  evictSoon(id: WorkspaceId): void {
    this.evict(id).catch(this.#options.onFault);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lent.keys()].map((id) => this.evict(id)));
  }

  #take(id: WorkspaceId): Lent {
    if (this.#closed.has(id)) throw new DevLoopError('workspace_not_found', `the workspace ${id} is being removed`);
    const lent = this.#lent.get(id) ?? { workspace: this.#options.open(id), users: 0 };
    this.#lent.set(id, lent);
    clearTimeout(lent.idle);
    lent.users++;
    return lent;
  }

  #giveBack(id: WorkspaceId, lent: Lent): void {
    lent.users--;
    if (lent.users > 0) return;
    if (lent.evicted !== undefined) lent.evicted.close();
    else lent.idle = setTimeout(() => this.evictSoon(id), this.#options.idle_ms).unref();
  }
}
