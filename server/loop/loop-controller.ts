import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { Gate } from '../domain/events.ts';
import { type Oid, type ProjectId, parseCompanyId, type RunId, type UnitId } from '../domain/ids.ts';
import type { Command, Happening, Surroundings } from '../domain/loop-event.ts';
import type { Settings } from '../domain/project.ts';
import { DEFAULT_TEAM, type Team } from '../domain/team.ts';
import { parseSettings } from './parse-settings.ts';
import type { LoopPorts } from './ports.ts';
import { ProjectActor } from './project-actor.ts';
import { ProjectBook } from './project-book.ts';
import { answerRecovery, refreshRecovery } from './recovery.ts';
import type {
  LoopService,
  NewProject,
  ProjectSummary,
  ProjectView,
  RecoveryView,
  RunView,
  UnitView,
} from './service.ts';
import { type VaultNews, vaultNews } from './vault-news.ts';
import { projectSummary, projectView, recoveryView, runView, unitView } from './views.ts';

export interface LoopDefaults {
  /** For projects that name no team. */
  readonly team: Team;
  /** Whether this server has a sandbox for agents that are programs; without one they never work side by side. */
  readonly sandboxed?: boolean;
  /** What is done with uncommitted files after a crash, in projects that do not say; `ask` where absent. */
  readonly recovery?: Settings['recovery']['policy'];
}

const LARGEST_RESULT = 16_000_000;

/** Runs the loop of every project in a data folder. `boot` first, `stop` last. */
export class LoopController implements LoopService {
  readonly #ports: LoopPorts;
  readonly #defaults: LoopDefaults;
  readonly #book: ProjectBook;

  constructor(ports: LoopPorts, defaults: LoopDefaults = { team: DEFAULT_TEAM }) {
    this.#ports = ports;
    this.#defaults = defaults;
    this.#book = new ProjectBook(ports);
  }

  /** Loads and scans every project; requests are served meanwhile. */
  boot(): Promise<void> {
    return this.#book.boot();
  }

  /** Stops all work: calls are interrupted, and made again after the next start. */
  async stop(): Promise<void> {
    const actors = await this.#book.actors('loaded');
    await Promise.all(
      actors.map(async (actor) => {
        await actor.stop();
        await this.#ports.ledgers.close(actor.folder.pid);
      }),
    );
  }

  async create(input: NewProject): ReturnType<LoopService['create']> {
    const settings = parseSettings(input.settings, this.#defaults.recovery);
    const cid = parseCompanyId(input.company ?? 'default');
    const folder = await this.#ports.projects.create(cid, this.#ports.ids.projectId());
    const actor = new ProjectActor(this.#ports, folder, { state: undefined, position: 0 });
    try {
      const head = await firstCommit(actor, { input, settings, team: input.team ?? this.#defaults.team });
      await this.#book.add(actor);
      return { pid: folder.pid, cid, status: actor.state.status, head };
    } catch (error) {
      await this.#ports.ledgers.close(folder.pid);
      await this.#ports.projects.remove(folder.pid);
      throw error;
    }
  }

  async list(): Promise<readonly ProjectSummary[]> {
    const actors = await this.#book.actors('loaded');
    return actors.map(({ state, halt }) => projectSummary(state, halt));
  }

  async project(pid: ProjectId): Promise<ProjectView> {
    const actor = await this.#book.actor(pid);
    return projectView(actor.state, { halt: actor.halt, path: actor.folder.root, head: await this.#head(actor) });
  }

  async remove(pid: ProjectId): Promise<void> {
    const actor = await this.#book.actor(pid);
    this.#book.forget(pid);
    await actor.stop();
    await this.#ports.ledgers.close(pid);
    await this.#ports.projects.remove(pid);
  }

  async run(pid: ProjectId, options: { readonly units?: readonly UnitId[] } = {}): Promise<void> {
    const actor = await this.#ready(pid);
    if (await goesOn(actor)) return;
    await actor.command({ kind: 'run.requested', units: options.units ?? [], ...(await this.#surroundings(pid)) });
  }

  pause(pid: ProjectId): Promise<void> {
    return this.#command(pid, { kind: 'pause.requested' });
  }

  async resume(pid: ProjectId): Promise<void> {
    const actor = await this.#ready(pid);
    await actor.command({ kind: 'resume.requested', ...(await this.#surroundings(pid)) });
  }

  cancel(pid: ProjectId): Promise<void> {
    return this.#command(pid, { kind: 'cancel.requested' });
  }

  approve(pid: ProjectId, gate: Gate, note?: string): Promise<void> {
    return this.#command(pid, { kind: 'gate.approved', gate, ...(note !== undefined && { note }) });
  }

  reject(pid: ProjectId, gate: Gate, note?: string): Promise<void> {
    return this.#command(pid, { kind: 'gate.rejected', gate, ...(note !== undefined && { note }) });
  }

  feedback(pid: ProjectId, text: string): Promise<void> {
    return this.#command(pid, { kind: 'feedback.given', text });
  }

  signOff(pid: ProjectId, user: string): Promise<void> {
    return this.#close(pid, { kind: 'sign_off.requested', user });
  }

  abandon(pid: ProjectId, reason: string): Promise<void> {
    return this.#close(pid, { kind: 'abandon.requested', reason });
  }

  async units(pid: ProjectId): Promise<readonly UnitView[]> {
    return (await this.#book.actor(pid)).state.units.map(unitView);
  }

  async runs(pid: ProjectId): Promise<readonly RunView[]> {
    return (await this.#book.actor(pid)).state.runs.map(runView);
  }

  async runResult(pid: ProjectId, run: RunId): ReturnType<LoopService['runResult']> {
    const view = (await this.runs(pid)).find((one) => one.run === run);
    const folder = view?.unit === undefined ? 'integration' : `units/${view.unit}`;
    const content = view && (await this.#ports.projects.read(pid, `${folder}/runs/${run}/result.json`, LARGEST_RESULT));
    if (view === undefined || content === undefined) {
      throw new DevLoopError('run_not_found', `project ${pid} has no run ${run}`);
    }
    return { ...view, result: JSON.parse(new TextDecoder().decode(content)) };
  }

  async recoveries(): Promise<readonly RecoveryView[]> {
    const actors = await this.#book.actors('scanned');
    await Promise.all(actors.map((actor) => this.#lookAgain(actor)));
    return actors.map(({ state }) => recoveryView(state)).filter((view) => view !== undefined);
  }

  async answerRecovery(
    pid: ProjectId,
    answer: Parameters<LoopService['answerRecovery']>[1],
  ): ReturnType<LoopService['answerRecovery']> {
    return answerRecovery(await this.#book.actor(pid), this.#ports.vault, answer);
  }

  /** Notes what the vault tells of a project; durable when it resolves. */
  async note(pid: ProjectId, news: VaultNews): Promise<void> {
    const actor = await this.#book.actor(pid);
    await actor.alone(() => actor.accept(vaultNews(news)));
  }

  async settled(pid: ProjectId): Promise<ProjectView> {
    await (await this.#book.actor(pid)).settled();
    return this.project(pid);
  }

  async #surroundings(pid: ProjectId): Promise<Surroundings> {
    return { head: await this.#ports.vault.head(pid), sandboxed: this.#defaults.sandboxed ?? false };
  }

  async #command(pid: ProjectId, command: Command): Promise<void> {
    await (await this.#ready(pid)).command(command);
  }

  /** Resolves when the closing commit has landed. */
  async #close(
    pid: ProjectId,
    command: Extract<Command, { kind: 'sign_off.requested' | 'abandon.requested' }>,
  ): Promise<void> {
    const { outcome } = await (await this.#ready(pid)).command(command);
    await landing(outcome);
  }

  /** A project whose unsettled files were looked at once more: they may be clean by now. */
  async #ready(pid: ProjectId): Promise<ProjectActor> {
    const actor = await this.#book.actor(pid);
    await refreshRecovery(actor, this.#ports.vault);
    return actor;
  }

  /** What cannot be looked at again is listed as it was found. */
  async #lookAgain(actor: ProjectActor): Promise<void> {
    try {
      await refreshRecovery(actor, this.#ports.vault);
    } catch (error) {
      if (!isDevLoopError(error)) throw error;
      this.#ports.log.warn('dirty files could not be looked at again', { pid: actor.folder.pid, code: error.code });
    }
  }

  /** A damaged repository does not hide the project. */
  async #head({ state }: ProjectActor): Promise<Oid> {
    try {
      return await this.#ports.vault.head(state.pid);
    } catch (error) {
      if (state.head !== undefined && isDevLoopError(error, 'vault_damaged', 'vault_tampered')) return state.head;
      throw error;
    }
  }
}

/** True for a project that had halted and now, with what happened written down, runs on. */
async function goesOn(actor: ProjectActor): Promise<boolean> {
  if (actor.halt === undefined) return false;
  return actor.alone(async () => actor.state.status === 'running');
}

async function firstCommit(
  actor: ProjectActor,
  { input, settings, team }: { readonly input: NewProject; readonly settings: Settings; readonly team: Team },
): Promise<Oid> {
  const { pid, cid } = actor.folder;
  const { requirement, name } = input;
  const about = { pid, cid, requirement, settings, team, ...(name !== undefined && { name }) };
  const { outcome } = await actor.alone(async () => {
    const [init] = await actor.accept({ kind: 'project.created', ...about });
    return { outcome: init && actor.outcome(init.key) };
  });
  await landing(outcome);
  if (actor.state.head === undefined) throw new DevLoopError('internal', `project ${pid} has no first commit`);
  return actor.state.head;
}

/** Waits for a commit under way, and throws where it failed. */
async function landing(outcome: Promise<Happening> | undefined): Promise<void> {
  const landed = await outcome;
  if (landed?.kind === 'write.failed') throw new DevLoopError(landed.code, landed.detail);
}
