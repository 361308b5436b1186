import type { TeamTrial } from '../app-team.ts';
import type { Comparer, Workspace, Workspaces } from '../app-workspaces.ts';
import type { Config } from '../config/index.ts';
import type { ApiClient, RouteId } from './api-client.ts';
import type { Connection } from './connection.ts';
import type { ExitStatus } from './exit-codes.ts';
import type { Args, ArgValues, Flags, FlagValues } from './flags.ts';
import type { OwnServer } from './own-server.ts';
import type { Terminal } from './terminal.ts';

/** What a command has to work with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** True with --json: data goes out as JSON. */
  readonly json: boolean;
  /** True with --yes. */
  readonly yes: boolean;
  /** Absolute path of the folder of the call. */
  readonly cwd: string;
  /** Aborts at Ctrl-C and when the process is told to end; the reason is the signal's name. */
  readonly signal: AbortSignal;
  config(): Promise<Config>;
  /** Every command, loaded. */
  commands(): Promise<readonly (readonly [name: string, command: Command])[]>;
  /** The server that runs on the data folder, else one in this process; always the same. */
  connect(options?: ConnectWishes): Promise<Connection>;
  /** The server that runs on the data folder now, looked for anew each time. Throws busy where none does. */
  running(): Promise<ApiClient>;
  /** A server in this process that others find, on the address of the settings. */
  serve(wishes?: Pick<ConnectWishes, 'record'>): Promise<OwnServer>;
  /** The histories of the person's folders. */
  workspaces(): Promise<Workspaces>;
  /** The folder of the call as a workspace; its store is made where there is none. */
  workspace(): Promise<Workspace>;
  /** Compares contents; documents apart from this process. */
  comparer(): Promise<Comparer>;
  /** What came of trying each agent of the settings' team. */
  tryTeam(): Promise<readonly TeamTrial[]>;
  /** The environment for a program that is run for the caller. */
  programEnv(): Promise<NodeJS.ProcessEnv>;
  /** From now on signals go to the handler instead of ending the command, until it is released. */
  takeSignals(handler: (name: NodeJS.Signals) => void): () => void;
  /** Gives one record of a stream out: a line of JSON with --json, else the text. */
  emit(record: unknown, text: string): Promise<void>;
}

export interface ConnectWishes {
  /** True: a data folder that is not there is made. */
  readonly create?: boolean;
  /** True where the command stays: others find the server of this process. */
  readonly announce?: boolean;
  /** A new file that keeps what live models decide; only a server of this process can. */
  readonly record?: string;
}

/** What a command came to: data for --json, and how it looks for people. */
export interface Result {
  readonly data: unknown;
  /** Empty where there is nothing to print. */
  readonly text: string | Uint8Array;
  readonly status?: CommandEnd;
}

/** How the process ends: a status of ours, or what a command that was run for the caller ended with. */
export type CommandEnd = ExitStatus | ProgramEnd;

/** The end of a program that was run for the caller; the process ends as it did. */
export interface ProgramEnd {
  readonly exit_code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Example {
  readonly command: string;
  readonly what: string;
}

/** An argument as it was given: words where it takes all that are left. */
export type GivenArg = string | readonly string[] | undefined;

interface Head {
  readonly summary: string;
  readonly examples: readonly Example[];
  /** The routes that it is the twin of; none where it works on this machine only. */
  readonly routes: readonly RouteId[];
}

/** A command as data: commander, help, completion, docs/cli.md and the tests are derived from it. */
export interface Command extends Head {
  readonly args: Args;
  readonly flags: Flags;
  /** Undefined where it gave out its data itself. */
  readonly invoke: (
    input: { readonly args: readonly GivenArg[]; readonly flags: Readonly<Record<string, unknown>> },
    context: CommandContext,
  ) => Promise<Result | undefined>;
}

interface Spec<A extends Args, F extends Flags, Data> extends Head {
  readonly args?: A;
  readonly flags?: F;
  readonly run: (input: ArgValues<A> & FlagValues<F>, context: CommandContext) => Promise<Data>;
  /** How the data looks for people; absent where `run` gave everything out. */
  readonly print?: (data: Data, terminal: Terminal) => string | Uint8Array;
  readonly status?: (data: Data) => CommandEnd;
}

/** Declares a command; its input is typed by its arguments and flags. */
export function defineCommand<
  A extends Args = Record<never, never>,
  F extends Flags = Record<never, never>,
  Data = unknown,
>(spec: Spec<A, F, Data>): Command {
  const { summary, examples, routes, print, status } = spec;
  const args: Args = spec.args ?? {};
  const flags: Flags = spec.flags ?? {};
  return {
    summary,
    examples,
    routes,
    args,
    flags,
    invoke: async (input, context) => {
      const read = {
        ...Object.fromEntries(Object.keys(args).map((name, i) => [name, input.args[i]])),
        ...Object.fromEntries(Object.entries(flags).map(([name, { read: value }]) => [name, value(input.flags[name])])),
      };
      // The two maps above have exactly the members that the type says.
      const data = await spec.run(read as ArgValues<A> & FlagValues<F>, context);
      if (print === undefined) return undefined;
      return { data, text: print(data, context.terminal), ...(status === undefined ? {} : { status: status(data) }) };
    },
  };
}
