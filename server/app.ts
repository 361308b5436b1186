import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type AgentManager, createAgentManager } from './agents/index.ts';
import { documentComparer } from './app-compare.ts';
import { workspacesIn } from './app-workspaces.ts';
import { bisectService } from './bisect-service.ts';
import { type ProjectId, parseProjectId, parseRunId } from './domain/ids.ts';
import type { Settings } from './domain/project.ts';
import type { Team } from './domain/team.ts';
import { EventLedgers, FileJournal } from './events/index.ts';
import { useSearchPath } from './git/environment.ts';
import { healthService } from './health.ts';
import { createHttpServer, type HttpOptions, type HttpServer, type HttpServices } from './http/index.ts';
import { systemClock } from './io/clock.ts';
import type { Logger } from './io/logger.ts';
import { makeFolders } from './io/make-folders.ts';
import { LoopController, type LoopPorts } from './loop/index.ts';
import { filePorts } from './loop-ports.ts';
import { ProjectCare } from './project-care.ts';
import { createSandbox, endOrphans, processRecords, type Sandbox, type SandboxMode } from './sandbox/index.ts';
import { statusDiff } from './status-diff.ts';
import { agentCallFacts, traced } from './tracing.ts';
import {
  type DataFolder,
  type GitVault,
  openDataFolder,
  openGitVault,
  ProjectFolders,
  vaultNotes,
} from './vault/index.ts';
import { createVerdicts, type RunSetting } from './verdicts/index.ts';
import type { Workspaces } from './workspace/index.ts';
import { workspaceService } from './workspace-service.ts';

export interface AppOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Absolute path of templates/. */
  readonly templates: string;
  readonly log: Logger;
  readonly sandbox: SandboxMode;
  /** The host's PATH, for the programs that agents and tests run. */
  readonly path: string;
  /** The person's home folder, hidden from confined programs. */
  readonly home?: string;
  /** Absolute paths of folders in it that confined programs see all the same: where agents are installed. */
  readonly readable?: readonly string[];
  /** For projects that name no team. */
  readonly team: Team;
  /** What is done with files that a killed server left uncommitted, in projects that do not say. */
  readonly recovery?: Settings['recovery']['policy'];
  /** Files that are larger are left out of commits; bytes. */
  readonly maxFileBytes: number;
  /** Reads a secret by the name of its environment variable. */
  readonly secret: (name: string) => string | undefined;
  /** Absolute path of a new file that keeps what live models decide. */
  readonly record?: string;
  /** The folders of the person, and whether their turns are protected; absent: their histories are in the data folder. */
  readonly workspaces?: { readonly all: Workspaces; readonly turns: boolean };
  /** Called where another process has taken the data folder: nothing may be written any more. */
  readonly onLost: (cause?: unknown) => void;
}

export interface App {
  readonly loop: LoopController;
  readonly vault: GitVault;
  readonly ledgers: EventLedgers;
  readonly services: HttpServices;
  readonly sandbox: Sandbox;
  /** Resolves when every project was looked at. Requests may be served before. */
  readonly booted: Promise<void>;
  server(options: Omit<HttpOptions, 'log' | 'dataFolder'>): HttpServer;
  /** Interrupts what runs, writes what is left, and gives the data folder up. */
  close(): Promise<void>;
}

const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Takes the data folder, ends what a killed server left running, and builds every part once. */
export async function openApp(options: AppOptions): Promise<App> {
  const { dataDir, log } = options;
  useSearchPath(options.path);
  const folder = openDataFolder(dataDir, { onLost: options.onLost });
  try {
    return await build(options, folder);
  } catch (error) {
    folder.release();
    log.debug('the app could not be built', { error });
    throw error;
  }
}

async function build(options: AppOptions, folder: DataFolder): Promise<App> {
  const { dataDir, log } = options;
  const state = join(dataDir, '.devloop');
  await endOrphans(state);
  const projects = new ProjectFolders({ dataDir, templates: join(options.templates, 'project') });
  const locate = (pid: ProjectId) => projects.locate(pid);
  const vault = traced(
    'git',
    openGitVault({
      locate,
      ahead: vaultNotes(dataDir),
      settings: { max_file_bytes: options.maxFileBytes, now: () => systemClock.now() },
      onFound: (pid, found) => loop.note(pid, { kind: 'secrets', found }),
      onMended: (pid, what) => {
        loop.note(pid, { kind: 'mended', what }).catch((error: unknown) => log.warn('not noted', { pid, what, error }));
      },
    }),
  );
  const ledgers = new EventLedgers({ dataDir, locate, clock: systemClock, log });
  const sandbox = await sandboxOf(options, state);
  const records = processRecords(state);
  const runs: RunSetting = { sandbox, tmp: temporary(state), processes: (root) => records.forProject(root) };
  const verdicts = createVerdicts(runs);
  const ports: LoopPorts = {
    ...filePorts({ vault, ledgers, projects }),
    agents: traced('agent', agentsOf(options, runs), agentCallFacts),
    verdicts,
    journal: new FileJournal(locate),
    clock: systemClock,
    ids: { projectId: () => parseProjectId(`p-${randomText(8)}`), runId: () => parseRunId(`run-${randomText(12)}`) },
    log,
  };
  const loop: LoopController = new LoopController(ports, {
    team: options.team,
    sandboxed: sandbox.layers.includes('bubblewrap'),
    ...(options.recovery !== undefined && { recovery: options.recovery }),
  });
  const booted = Promise.all([loop.boot(), projects.sweep()]).then(() => undefined);
  const { all, turns } = options.workspaces ?? { all: workspacesIn(join(state, 'state')), turns: true };
  const comparer = documentComparer({ ...options, hidden: hiddenFrom(options), folder: join(state, 'compare') });
  const workspaces = workspaceService({ workspaces: all, turns, log, comparer });
  workspaces.boot();
  const care = new ProjectCare({ loop, vault, clock: systemClock, log });
  care.start();
  const services: HttpServices = {
    loop: traced('loop', loop),
    vault: {
      ...vault,
      bisect: bisectService({ vault, verdicts }),
      statusDiff: statusDiff({ vault, locate }),
      maintain: (pid) => care.maintain(pid),
    },
    workspaces,
    feed: ledgers,
    health: healthService(dataDir),
  };
  return {
    loop,
    vault,
    ledgers,
    services,
    sandbox,
    booted,
    server: (http) => createHttpServer(services, { ...http, log, dataFolder: dataDir }),
    close: async () => {
      await booted;
      await care.stop();
      await workspaces.close();
      await loop.stop();
      await ledgers.closeAll();
      await vault.close();
      folder.release();
    },
  };
}

function agentsOf({ templates, secret, record }: AppOptions, runs: RunSetting): AgentManager {
  return createAgentManager({
    ...runs,
    templates,
    clock: systemClock,
    secret,
    ...(record !== undefined && { record }),
  });
}

function sandboxOf(options: AppOptions, state: string): Promise<Sandbox> {
  const { sandbox, path, readable = [] } = options;
  return createSandbox({
    mode: sandbox,
    path,
    hidden: hiddenFrom(options),
    readable: [dirname(dirname(process.execPath)), ...readable],
    shim: join(state, 'shim'),
  });
}

const hiddenFrom = ({ dataDir, home }: AppOptions): readonly string[] =>
  home === undefined ? [dataDir] : [dataDir, home];

function temporary(state: string): string {
  const folder = join(state, 'tmp');
  makeFolders(folder);
  return folder;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join('');
}
