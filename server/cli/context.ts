import { join } from 'node:path';
import type { AppOptions } from '../app.ts';
import type { TeamTrial } from '../app-team.ts';
import type { Comparer, Workspace, Workspaces } from '../app-workspaces.ts';
import type { Config } from '../config/index.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { CommandContext, ConnectWishes } from './command.ts';
import type { Connection } from './connection.ts';
import { noteLog } from './note-log.ts';
import type { OwnServer } from './own-server.ts';
import { packageRoot, packageVersion, pageFolder } from './package-root.ts';
import { COMMANDS } from './registry.ts';
import type { Terminal } from './terminal.ts';

export interface ContextOptions {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly takeSignals: CommandContext['takeSignals'];
  /** Flags of the call, by name. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Told where another process has taken the data folder: nothing may be written any more. */
  readonly onLost: (cause?: unknown) => void;
}

export interface OpenContext extends CommandContext {
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** What commands work with; everything is loaded and opened when it is first asked for. */
export function createContext(options: ContextOptions): OpenContext {
  const { terminal, cwd, signal, flags } = options;
  const json = flags.json === true;
  let config: Promise<Config> | undefined;
  let connection: Promise<Connection> | undefined;
  let workspace: Promise<Workspace> | undefined;
  const loaded = () => (config ??= loadSettings(options));
  const own = async (wishes: ConnectWishes, at: { readonly host: string; readonly port: number }) => {
    const { startOwnServer } = await import('./own-server.ts');
    return startOwnServer({ ...(await ownServerOptions(await loaded(), options, wishes)), ...at });
  };
  return {
    terminal,
    json,
    yes: flags.yes === true,
    cwd,
    signal,
    config: loaded,
    commands: () => Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const)),
    connect: (wishes = {}) => (connection ??= find(loaded, wishes, () => own(wishes, { host: '127.0.0.1', port: 0 }))),
    running: async () => {
      const [{ requireRunning }, { settings }] = await Promise.all([import('./connection.ts'), loaded()]);
      return requireRunning(settings.data_dir, await tokenOf(settings));
    },
    serve: async (wishes = {}) => {
      const { host, port } = (await loaded()).settings;
      const server = own({ ...wishes, announce: true }, { host, port });
      connection = server;
      return server;
    },
    workspaces: async () => workspacesFor(await loaded()),
    workspace: () => (workspace ??= loaded().then(async (config) => (await workspacesFor(config)).open(cwd))),
    comparer: async () => comparerFor(await loaded(), options.env.PATH ?? ''),
    tryTeam: async () => tryTeamOf(await loaded(), options.env),
    programEnv: async () => (await import('../config/index.ts')).withoutCredentials(options.env),
    takeSignals: options.takeSignals,
    emit: (record, text) => terminal.out(json ? `${JSON.stringify(record)}\n` : `${text}\n`),
    close: async () => {
      await (await workspace?.catch(() => undefined))?.close();
      await (await connection?.catch(() => undefined))?.close();
    },
  };
}

async function workspacesFor({ settings }: Config): Promise<Workspaces> {
  const { workspacesOf } = await import('../app-workspaces.ts');
  return workspacesOf(settings);
}

async function comparerFor({ settings }: Config, path: string): Promise<Comparer> {
  const { comparerOf } = await import('../app-workspaces.ts');
  return comparerOf(settings, path);
}

async function tryTeamOf({ settings }: Config, env: ContextOptions['env']): Promise<readonly TeamTrial[]> {
  const [{ tryTeam }, { withoutCredentials }] = await Promise.all([
    import('../app-team.ts'),
    import('../config/index.ts'),
  ]);
  const given = withoutCredentials(env);
  return tryTeam(settings.team, {
    templates: join(packageRoot(), 'templates'),
    sandbox: settings.sandbox,
    readable: settings.sandbox_readable,
    path: env.PATH ?? '',
    ...(env.HOME === undefined ? {} : { home: env.HOME }),
    secret: (name) => given[name],
  });
}

async function loadSettings({ flags, env, cwd }: ContextOptions): Promise<Config> {
  const { loadConfig } = await import('../config/index.ts');
  const given = {
    data_dir: flags.data,
    host: flags.host,
    port: flags.port,
    sandbox: flags.sandbox,
    log_level: flags.logLevel,
  };
  return loadConfig({
    flags: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    env,
    cwd,
  });
}

async function tokenOf({ token, data_dir }: Config['settings']): Promise<() => string> {
  const { readOrMakeToken } = await import('../config/index.ts');
  return () => token ?? readOrMakeToken(data_dir);
}

async function find(
  loaded: () => Promise<Config>,
  wishes: ConnectWishes,
  start: () => Promise<OwnServer>,
): Promise<Connection> {
  const [{ connect }, { settings }] = await Promise.all([import('./connection.ts'), loaded()]);
  const found = await connect({
    dataDir: settings.data_dir,
    token: await tokenOf(settings),
    start,
    create: wishes.create === true,
  });
  if (wishes.record === undefined || found.own) return found;
  throw new DevLoopError('bad_state', 'A server runs on this data folder, and only a run of its own can be recorded.', {
    hint: 'Stop it, or start it with `devloop serve --record FILE`.',
  });
}

async function ownServerOptions({ settings }: Config, options: ContextOptions, { announce, record }: ConnectWishes) {
  const [{ openApp }, { workspacesOf }, { withoutCredentials }] = await Promise.all([
    import('../app.ts'),
    import('../app-workspaces.ts'),
    import('../config/index.ts'),
  ]);
  const { env, terminal, cwd, onLost } = options;
  const given = withoutCredentials(env);
  const app: AppOptions = {
    dataDir: settings.data_dir,
    templates: join(packageRoot(), 'templates'),
    log: noteLog(settings.log_level, (line) => terminal.note(line)),
    sandbox: settings.sandbox,
    readable: settings.sandbox_readable,
    path: env.PATH ?? '',
    ...(env.HOME === undefined ? {} : { home: env.HOME }),
    team: settings.team,
    recovery: settings.recovery_policy,
    maxFileBytes: settings.max_file_bytes,
    secret: (name) => given[name],
    workspaces: { all: workspacesOf(settings, { watch: true }), turns: settings.snapshot_enabled },
    onLost,
    ...(record === undefined ? {} : { record: join(cwd, record) }),
  };
  return {
    openApp,
    app,
    token: await tokenOf(settings),
    version: packageVersion(),
    hosts: settings.hosts,
    origins: settings.origins,
    announce: announce === true,
    page: pageFolder(),
  };
}
