import { CommanderError } from 'commander';
import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { CommandEnd } from './command.ts';
import { createContext } from './context.ts';
import { EXIT, EXIT_OF_CODE, type ExitStatus } from './exit-codes.ts';
import { packageVersion } from './package-root.ts';
import { type Call, createProgram } from './program.ts';
import { createTerminal, plainLines, type Terminal, type TerminalOptions } from './terminal.ts';

export interface CliHost extends Omit<TerminalOptions, 'input'> {
  /** Without the program's own name. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Aborts at Ctrl-C and when the process is told to end; the reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Hands signals to somebody else until it is released. */
  readonly takeSignals: (handler: (name: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once: the data folder is somebody else's now. */
  readonly abandon: (status: ExitStatus) => never;
}

/** Runs one command line. @returns its exit status. */
export async function runCli(host: CliHost): Promise<CommandEnd> {
  let status: CommandEnd = EXIT.ok;
  const program = await createProgram(host.argv[0], {
    version: packageVersion(),
    out: (text) => host.stdout.write(text),
    err: (text) => host.stderr.write(text),
    onCall: async (call) => {
      status = await runCall(call, host);
    },
  });
  try {
    await program.parseAsync(host.argv.length === 0 ? ['--help'] : host.argv, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
}

async function runCall({ command, args, flags }: Call, host: CliHost): Promise<CommandEnd> {
  const { cwd, env, signal, takeSignals } = host;
  const terminal = createTerminal({ ...host, input: flags.input !== false });
  const onLost = () => {
    terminal.note('devloop: another process has taken the data folder; nothing more is written');
    host.abandon(EXIT.failed);
  };
  const context = createContext({ terminal, env, cwd, signal, takeSignals, flags, onLost });
  try {
    const result = await command.invoke({ args, flags }, context);
    if (result === undefined) return signal.reason === 'SIGINT' ? EXIT.interrupted : EXIT.ok;
    await terminal.out(context.json ? `${JSON.stringify(result.data)}\n` : result.text);
    return signal.aborted ? EXIT.interrupted : (result.status ?? EXIT.ok);
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.ok;
    if (signal.aborted && !isDevLoopError(error)) return EXIT.interrupted;
    return reportError(error, { terminal, json: context.json });
  } finally {
    await context.close();
  }
}

/** Who reads our output has gone, as in `devloop log | head`. */
const isBrokenPipe = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE';

function reportError(
  error: unknown,
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): ExitStatus {
  const known = error instanceof DevLoopError ? error : new DevLoopError('internal', String(error), { cause: error });
  const { code, message, hint, data } = known;
  if (json)
    terminal.note(JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }), ...data } }));
  else {
    terminal.note(`${terminal.paint('red', 'devloop:')} ${plainLines(message)}`);
    if (hint !== undefined) terminal.note(`  ${plainLines(hint)}`);
    if (code === 'internal' && error instanceof Error && error.stack !== undefined) terminal.note(error.stack);
  }
  return EXIT_OF_CODE[code];
}
