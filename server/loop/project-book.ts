import { DevLoopError } from '../domain/errors.ts';
import type { ProjectId } from '../domain/ids.ts';
import { inParallel } from './in-parallel.ts';
import { type LoadedProject, loadProject } from './load-project.ts';
import type { LoopPorts, ProjectFolder } from './ports.ts';
import type { ProjectActor } from './project-actor.ts';
import { scanProject } from './scan-project.ts';

interface Entry {
  readonly folder: ProjectFolder;
  /** Folds the journal, once. */
  readonly loaded: () => Promise<LoadedProject | undefined>;
  /** Looks at the repository, once. */
  readonly scanned: () => Promise<void>;
}

/** Few: others have their turn only after so many. */
const LOADS = 4;
const SCANS = 8;

/** All projects of the data folder. Each is loaded once and scanned once, at the start or when it is first asked for. */
export class ProjectBook {
  readonly #ports: LoopPorts;
  readonly #entries = new Map<ProjectId, Entry>();
  readonly #listed: () => Promise<void>;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.#listed = once(async () => {
      for (const folder of await ports.projects.list()) this.#entries.set(folder.pid, this.#entry(folder));
    });
  }

  /** Loads and scans all projects, many at a time. One that fails is told of and does not stop the others. */
  async boot(): Promise<void> {
    await this.#listed();
    const entries = [...this.#entries.values()];
    await inParallel(entries, LOADS, (entry) =>
      this.#telling(entry, async () => this.#tellStranger(entry, await entry.loaded())),
    );
    await inParallel(entries, SCANS, (entry) => this.#telling(entry, entry.scanned));
  }

  /** A project that is ready for commands. Throws project_not_found. */
  async actor(pid: ProjectId): Promise<ProjectActor> {
    await this.#listed();
    const entry = this.#entries.get(pid);
    const loaded =
      entry === undefined || (await this.#ports.projects.find(pid)) === undefined ? undefined : await entry.loaded();
    if (loaded === undefined) throw new DevLoopError('project_not_found', `there is no project ${pid}`);
    await entry?.scanned();
    return loaded.actor;
  }

  /** All that could be loaded; scanned ones only where asked for. */
  async actors(which: 'loaded' | 'scanned'): Promise<readonly ProjectActor[]> {
    await this.#listed();
    const loaded: (Entry & { readonly actor: ProjectActor })[] = [];
    await inParallel([...this.#entries.values()], LOADS, (entry) =>
      this.#telling(entry, async () => {
        const actor = (await entry.loaded())?.actor;
        if (actor !== undefined) loaded.push({ ...entry, actor });
      }),
    );
    if (which === 'loaded') return loaded.map(({ actor }) => actor);
    const scanned: ProjectActor[] = [];
    await inParallel(loaded, SCANS, (entry) =>
      this.#telling(entry, async () => {
        await entry.scanned();
        scanned.push(entry.actor);
      }),
    );
    return scanned;
  }

  /** Adds a project that is made now. */
  async add(actor: ProjectActor): Promise<void> {
    await this.#listed();
    const { folder } = actor;
    this.#entries.set(folder.pid, {
      folder,
      loaded: async () => ({ actor, repaired: [] }),
      scanned: () => Promise.resolve(),
    });
  }

  forget(pid: ProjectId): void {
    this.#entries.delete(pid);
  }

  #entry(folder: ProjectFolder): Entry {
    const loaded = once(async () => {
      await turn();
      return loadProject(this.#ports, folder);
    });
    const scanned = once(async () => {
      const project = await loaded();
      await turn();
      if (project !== undefined) await scanProject(this.#ports, project);
    });
    return { folder, loaded, scanned };
  }

  #tellStranger({ folder }: Entry, loaded: LoadedProject | undefined): void {
    if (loaded === undefined) this.#ports.log.warn('a folder among the projects was not made here', { ...folder });
  }

  async #telling({ folder }: Entry, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#ports.log.warn('a project could not be opened', { ...folder, error });
    }
  }
}

/** Whatever else waits comes first: requests are answered while a thousand projects are looked at, which seldom waits itself. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
