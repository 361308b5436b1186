import { commandRefusal } from '../domain/command-refusal.ts';
import { type Decision, decide } from '../domain/decide.ts';
import { type Effect, isClosing } from '../domain/effect.ts';
import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { Command, Happening } from '../domain/loop-event.ts';
import type { ProjectState } from '../domain/project-state.ts';
import { journalRecord } from './journal-record.ts';
import type { LoopPorts, ProjectFolder } from './ports.ts';
import { runEffect } from './run-effect.ts';
import { serial } from './serial.ts';
import { Workbench } from './workbench.ts';

/** Why a project stands still though its state says otherwise: what could not be written down. */
export interface Halt {
  readonly code: string;
  readonly detail: string;
}

interface Due extends Pick<Decision, 'entry' | 'effects' | 'aborts'> {
  readonly position: number;
}

/**
 * One project at work. Its events are taken one at a time: journalled, folded, told to the ledgers, and only then acted on.
 * Effects run side by side, and post their outcome as the next event.
 */
export class ProjectActor {
  readonly folder: ProjectFolder;
  readonly bench: Workbench;
  readonly #ports: LoopPorts;
  readonly #mailbox = serial();
  readonly #running = new Map<string, AbortController>();
  /** Journalled, and not yet told or acted on. */
  readonly #due: Due[] = [];
  /** Outcomes that could not be journalled. */
  readonly #unnoted: Happening[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #outcomes = new Map<string, (outcome: Happening) => void>();
  #state: ProjectState | undefined;
  #position: number;
  #halt: Halt | undefined;
  #stopped = false;

  constructor(
    ports: LoopPorts,
    folder: ProjectFolder,
    journal: { readonly state: ProjectState | undefined; readonly position: number },
  ) {
    this.#ports = ports;
    this.folder = folder;
    this.bench = new Workbench(ports, folder.pid);
    this.#state = journal.state;
    this.#position = journal.position;
  }

  get state(): ProjectState {
    if (this.#state === undefined)
      throw new DevLoopError('project_not_found', `project ${this.folder.pid} has no journal`);
    return this.#state;
  }

  get halt(): Halt | undefined {
    return this.#halt;
  }

  /** Takes a person's command, or throws why not. `outcome` is that of the commit which closes the project, where one was asked for. */
  command(command: Command): Promise<{ readonly outcome: Promise<Happening> | undefined }> {
    return this.alone(async () => {
      const refusal = commandRefusal(this.state, command);
      if (refusal !== undefined) throw refusal;
      const started = await this.accept(command);
      const closing = started.find((effect) => effect.kind === 'commit' && isClosing(effect.purpose));
      return { outcome: closing && this.outcome(closing.key) };
    });
  }

  /** Runs a task between two events; `accept` may be used in it. What had not been written down before is, or the task is not run. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    return this.#mailbox(async () => {
      await this.#catchUp();
      return task();
    });
  }

  /** Journals an event, folds it, tells it, and starts what follows. Only inside of `alone`. */
  async accept(happening: Happening): Promise<readonly Effect[]> {
    const { effects } = await this.#journal(happening);
    await this.#settleDue();
    return effects;
  }

  /** The outcome of an effect under way; never where it is not. */
  outcome(key: string): Promise<Happening> {
    return new Promise((resolve) => this.#outcomes.set(key, resolve));
  }

  /** Carries out an effect that the journal holds and nobody is at work on. */
  start(effect: Effect): void {
    const controller = new AbortController();
    this.#running.set(effect.key, controller);
    const { folder, bench } = this;
    const outcome = runEffect(effect, { ports: this.#ports, folder, bench, signal: controller.signal });
    void outcome.then((happening) => this.#mailbox(() => this.#ended(effect.key, controller, happening)));
  }

  /** Stops what is running; resolves when all is at rest and noted. Nothing is started any more. */
  async stop(): Promise<void> {
    await this.#mailbox(async () => {
      const active = this.#running.size > 0 || this.#state?.status === 'running';
      if (active) await this.#note({ kind: 'server.stopping' });
      this.#stopped = true;
      for (const controller of this.#running.values()) controller.abort();
    });
    await this.#until(() => this.#running.size === 0);
  }

  /** Resolves when nothing is running and nothing will be by itself. */
  settled(): Promise<void> {
    return this.#until(
      () => this.#running.size === 0 && (this.#halt !== undefined || this.#state?.status !== 'running'),
    );
  }

  async #ended(key: string, controller: AbortController, outcome: Happening): Promise<void> {
    await this.#note(outcome);
    if (this.#running.get(key) === controller) this.#running.delete(key);
    this.#outcomes.get(key)?.(outcome);
    this.#outcomes.delete(key);
    this.#tellWatchers();
  }

  /** Accepts what has happened. Nobody waits for it: where it cannot be written down, the project halts until the next command. */
  async #note(happening: Happening): Promise<void> {
    this.#unnoted.push(happening);
    try {
      await this.#catchUp();
    } catch (error) {
      this.#halt = haltOf(error);
      this.#ports.log.warn('a project halts: it cannot be written down what happened', {
        pid: this.folder.pid,
        ...this.#halt,
      });
    }
  }

  async #catchUp(): Promise<void> {
    await this.#settleDue();
    for (let [happening] = this.#unnoted; happening !== undefined; [happening] = this.#unnoted) {
      await this.#journal(happening);
      this.#unnoted.shift();
      await this.#settleDue();
    }
    this.#halt = undefined;
  }

  async #journal(happening: Happening): Promise<Pick<Decision, 'effects'>> {
    const event = { ...happening, at: this.#ports.clock.now().toISOString() };
    const { state, ...todo } = decide(this.#state, event);
    await this.#ports.journal.append(this.folder.pid, journalRecord(event));
    this.#state = state;
    this.#position += 1;
    this.#due.push({ position: this.#position, ...todo });
    return todo;
  }

  async #settleDue(): Promise<void> {
    for (let [due] = this.#due; due !== undefined; [due] = this.#due) {
      const { position, entry, effects, aborts } = due;
      await this.#tell(position, entry);
      this.#due.shift();
      for (const key of aborts) this.#running.get(key)?.abort();
      if (!this.#stopped) for (const effect of effects) this.start(effect);
    }
    this.#tellWatchers();
  }

  async #tell(position: number, entry: Decision['entry']): Promise<void> {
    try {
      await this.bench.tell(position, entry);
    } catch (error) {
      this.#halt = haltOf(error);
      throw error;
    }
  }

  #tellWatchers(): void {
    for (const check of this.#watchers) check();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds()) return;
        this.#watchers.delete(check);
        resolve();
      };
      this.#watchers.add(check);
      check();
    });
  }
}

function haltOf(error: unknown): Halt {
  return {
    code: isDevLoopError(error) ? error.code : 'internal',
    detail: error instanceof Error ? error.message : String(error),
  };
}
